'use strict';
// PAGE = {views: [{module, title, other, boxes: [{name, op, view, facts, mark}], edges: [[from, to]]}], sections: [{title, note, facts, columns, rows: [{cells, node, other, folded}]}]}
const $ = id => document.getElementById(id);
const canvas = $('view'), card = $('card'), find = $('find'), sheet = $('sheet'), path = $('path');
let view, svg, width, height, k = 1, x = 0, y = 0, fitted = true;

function element(parent, tag, text, className) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}
function link(parent, text, action) {
  const made = element(parent, 'a', text);
  made.tabIndex = 0;
  made.onclick = action;
  made.onkeydown = e => { if (e.key === 'Enter') action(); };
  return made;
}

const show = () => svg.style.transform = `translate(${x}px,${y}px) scale(${k})`;
// The part of the page that neither the bar nor a table covers.
function free() {
  const top = $('bar').getBoundingClientRect().bottom, bottom = sheet.hidden ? innerHeight : sheet.getBoundingClientRect().top;
  return {top, height: Math.max(bottom - top, 48), middle: (top + Math.max(bottom, top + 48)) / 2};
}
function fit() {
  const area = free();
  k = Math.min(1, (innerWidth - 24) / width, (area.height - 24) / height);
  x = (innerWidth - width * k) / 2;
  y = area.middle - height * k / 2;
  fitted = true;
  show();
}
function zoom(factor, px, py) {
  fitted = false;
  const next = Math.min(4, Math.max(.02, k * factor));
  x = px - (px - x) * next / k;
  y = py - (py - y) * next / k;
  k = next;
  show();
}

// One module's inside at a time; a double click on a folded module goes in, the path leads out.
function open(index) {
  view = PAGE.views[index];
  canvas.replaceChildren($('view' + index).content.cloneNode(true));
  svg = canvas.querySelector('svg');
  width = svg.viewBox.baseVal.width;
  height = svg.viewBox.baseVal.height;
  svg.setAttribute('width', width);
  svg.setAttribute('height', height);
  view.boxes.forEach((box, i) => { if (box.mark) $('box' + i)?.classList.add(box.mark); });
  path.replaceChildren();
  if (PAGE.views.length > 1) {
    const whole = PAGE.views.findIndex(v => v.other === view.other), opposite = PAGE.views.findIndex(v => v.other !== view.other);
    link(path, PAGE.views[whole].title, () => open(whole));
    const parts = view.module ? view.module.split('.') : [];
    parts.forEach((part, i) => {
      path.append(' › ');
      const inner = PAGE.views.findIndex(v => v.other === view.other && v.module === parts.slice(0, i + 1).join('.'));
      if (inner >= 0 && i + 1 < parts.length) link(path, part, () => open(inner));
      else path.append(part);
    });
    if (opposite >= 0) {
      path.append(' ⇄ ');
      link(path, PAGE.views[opposite].title, () => open(opposite));
    }
  }
  hide();
  fit();
}

function clear() {
  canvas.querySelectorAll('.on,.in,.out').forEach(e => e.classList.remove('on', 'in', 'out'));
}
function hide() {
  clear();
  card.hidden = true;
}
function select(i, centre) {
  clear();
  const group = $('box' + i);
  if (!group) return;
  group.classList.add('on');
  view.edges.forEach(([from, to], e) => {
    const line = $('edge' + e);
    if (!line) return;
    if (to === i) line.classList.add('in');
    if (from === i) line.classList.add('out');
  });
  const box = view.boxes[i];
  card.replaceChildren();
  element(card, 'h2', box.name);
  element(card, 'div', box.op || '', 'op');
  const list = element(card, 'dl');
  for (const [key, value] of box.facts) {
    element(list, 'dt', key);
    element(list, 'dd', value);
  }
  const neighbours = (key, boxes) => {
    if (!boxes.length) return;
    element(list, 'dt', key);
    const cell = element(list, 'dd');
    boxes.forEach((j, n) => {
      if (n) cell.append(', ');
      link(cell, view.boxes[j].name, () => select(j, true));
    });
  };
  neighbours('from', [...new Set(view.edges.filter(e => e[1] === i).map(e => e[0]))]);
  neighbours('to', [...new Set(view.edges.filter(e => e[0] === i).map(e => e[1]))]);
  if (box.view !== undefined) link(element(card, 'p'), 'Open this module', () => open(box.view));
  card.hidden = false;
  if (!centre) return;
  const r = group.getBBox();
  k = Math.max(k, .6);
  x = innerWidth / 2 - (r.x + r.width / 2) * k;
  y = free().middle - (r.y + r.height / 2) * k;
  fitted = false;
  show();
}
// The first box, in this view or another, that fits. A row leads to its node in the graph that is shown, or else in the other one.
const goRow = row => (view.other && row.other && go(b => b.node === row.other, v => v.other)) || (row.node && go(b => b.node === row.node, v => !v.other)) ||
  (row.other && go(b => b.node === row.other, v => v.other));
function go(fits, among = () => true) {
  const order = [PAGE.views.indexOf(view), ...PAGE.views.keys()];
  for (const index of order) {
    if (!among(PAGE.views[index])) continue;
    const i = PAGE.views[index].boxes.findIndex(fits);
    if (i < 0) continue;
    if (PAGE.views[index] !== view) open(index);
    select(i, true);
    return true;
  }
  return false;
}

function section(index) {
  const chosen = PAGE.sections[index], again = !sheet.hidden && sheet.dataset.section === String(index);
  document.querySelectorAll('#bar button[data-section]').forEach(b => b.setAttribute('aria-pressed', !again && b.dataset.section === String(index)));
  sheet.hidden = again;
  if (!again) fill(chosen, index);
  if (fitted) fit();
}
function fill(chosen, index) {
  sheet.dataset.section = index;
  sheet.replaceChildren();
  element(sheet, 'h2', chosen.title);
  if (chosen.note) element(sheet, 'div', chosen.note, 'note');
  if (chosen.facts.length) {
    const list = element(sheet, 'dl');
    for (const [key, value] of chosen.facts) {
      element(list, 'dt', key);
      element(list, 'dd', value);
    }
  }
  if (!chosen.rows.length) return;
  const folded = chosen.rows.filter(row => row.folded).length, filter = element(sheet, 'input'), lines = [];
  filter.placeholder = 'Filter rows';
  filter.setAttribute('aria-label', 'Filter rows');
  const all = folded ? element(sheet, 'button', `Show the ${folded} that are the same`) : null;
  const sift = () => {
    const words = filter.value.toLowerCase();
    for (const [line, row] of lines) line.hidden = (row.folded && all.getAttribute('aria-pressed') !== 'true') || !row.cells.join(' ').toLowerCase().includes(words);
  };
  filter.oninput = sift;
  if (all) all.onclick = () => { all.setAttribute('aria-pressed', all.getAttribute('aria-pressed') !== 'true'); sift(); };
  const table = element(sheet, 'table'), head = element(element(table, 'thead'), 'tr'), body = element(table, 'tbody');
  for (const column of chosen.columns) element(head, 'th', column);
  for (const row of chosen.rows) {
    const line = element(body, 'tr');
    // Names do not break inside; sentences break between words, and names that would fill the page anywhere.
    for (const cell of row.cells) element(line, 'td', cell, /\S{61}/.test(cell) ? 'long' : /\s/.test(cell) ? 'words' : 'name');
    lines.push([line, row]);
    if (!row.node && !row.other) continue;
    line.tabIndex = 0;
    line.onclick = () => goRow(row);
    line.onkeydown = e => { if (e.key === 'Enter') line.onclick(); };
  }
  sift();
}

let from = null, moved = false;
canvas.addEventListener('wheel', e => { e.preventDefault(); zoom(Math.exp(-e.deltaY * .0015), e.clientX, e.clientY); }, {passive: false});
canvas.addEventListener('pointerdown', e => { from = [e.clientX - x, e.clientY - y, e.clientX, e.clientY]; moved = false; });
addEventListener('pointermove', e => {
  if (!from || (!moved && Math.hypot(e.clientX - from[2], e.clientY - from[3]) < 4)) return;
  moved = true;
  fitted = false;
  canvas.classList.add('drag');
  x = e.clientX - from[0];
  y = e.clientY - from[1];
  show();
});
addEventListener('pointerup', () => { from = null; canvas.classList.remove('drag'); });
const boxOf = e => { const group = e.target.closest('.box'); return group ? +group.id.slice(3) : -1; };
canvas.addEventListener('click', e => {
  if (moved) return;
  const i = boxOf(e), line = e.target.closest('.edge');
  if (i >= 0) select(i, false);
  else if (line) select(view.edges[+line.id.slice(4)][0], true);
  else hide();
});
canvas.addEventListener('dblclick', e => { const i = boxOf(e); if (i >= 0 && view.boxes[i].view !== undefined) open(view.boxes[i].view); });
$('fit').onclick = fit;
find.addEventListener('change', () => {
  const text = find.value.toLowerCase();
  if (!text) return;
  go(b => b.name.toLowerCase() === text) || go(b => b.name.toLowerCase().includes(text) || (b.op || '').toLowerCase().includes(text));
});
addEventListener('keydown', e => {
  if (e.target.tagName === 'INPUT') return;
  if (e.key === 'f') fit();
  if (e.key === '+') zoom(1.25, innerWidth / 2, innerHeight / 2);
  if (e.key === '-') zoom(.8, innerWidth / 2, innerHeight / 2);
  if (e.key === 'Escape') hide();
});
addEventListener('resize', () => { if (fitted) fit(); });
PAGE.sections.forEach((s, i) => {
  const button = element($('bar'), 'button', s.title);
  button.dataset.section = i;
  button.setAttribute('aria-pressed', false);
  button.onclick = () => section(i);
});
open(0);
// A page that has a comparison is about it.
PAGE.sections.forEach((s, i) => { if (s.title === 'Comparison') section(i); });
