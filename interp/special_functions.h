#pragma once
// Special functions of real numbers, computed in double for every element type but where PyTorch's rounding in float shows.

namespace pt2::interp {

double digamma(double x);
double log_gamma(double x);
double hurwitz_zeta(double x, double q);           // Σ (k + q)^−x
float trigamma(float x);
double trigamma(double x);                         // polygamma(1, x), extended to x < 0.5 by reflection
double polygamma(int n, double x);
double inverse_erf(double x);
double scaled_erfc(double x);                      // exp(x²) erfc(x)
double normal_quantile(double p);                  // ndtri
double log_normal_distribution(double x);          // log_ndtr
double incomplete_gamma(double a, double x);       // regularised, lower
double incomplete_gamma_upper(double a, double x);
double airy(double x);                             // Ai
double bessel_i0(double x), bessel_i0_scaled(double x), bessel_i1_scaled(double x);
double bessel_k0(double x), bessel_k1(double x), bessel_k0_scaled(double x), bessel_k1_scaled(double x);

}  // namespace pt2::interp
