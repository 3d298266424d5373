#include <nlohmann/json.hpp>

#include "app/picture/graph_picture.h"
#include "core/base/display.h"
#include "views/workspace/labels.h"

namespace pt2::app {

using namespace views;

namespace {

constexpr const char* kStyle = R"(
html,body{margin:0;height:100%;overflow:hidden;font:13px Roboto,'DejaVu Sans',Arial,sans-serif;background:var(--canvas);color:var(--text)}
#view{position:absolute;inset:0;cursor:grab}#view.drag{cursor:grabbing}#view svg{position:absolute;left:0;top:0;transform-origin:0 0}
.box,.edge{cursor:pointer}.box.on>rect:first-of-type{stroke:var(--accent);stroke-width:3}.edge.in path:first-of-type{stroke:var(--up);stroke-width:2.5}.edge.out path:first-of-type{stroke:var(--down);stroke-width:2.5}
#bar{position:fixed;left:12px;top:12px;display:flex;gap:6px}#bar button,#bar input{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--border);border-radius:4px;padding:4px 8px}
#card{position:fixed;right:12px;top:12px;width:340px;max-height:calc(100% - 48px);overflow:auto;background:var(--panel);border:1px solid var(--border);border-radius:6px;padding:12px;box-sizing:border-box}
#card[hidden]{display:none}#card h2{font-size:15px;margin:0 0 2px}#card .op{color:var(--text2)}#card dl{display:grid;grid-template-columns:auto 1fr;gap:3px 10px;margin:10px 0 0}
#card dt{color:var(--text2)}#card dd{margin:0;overflow-wrap:anywhere;font-family:'JetBrains Mono','DejaVu Sans Mono',monospace;font-size:12px}#card a{color:var(--accent);cursor:pointer}
)";

constexpr const char* kScript = R"(
const view=document.getElementById('view'),svg=view.querySelector('svg'),card=document.getElementById('card'),find=document.getElementById('find');
const w=svg.viewBox.baseVal.width,h=svg.viewBox.baseVal.height;svg.setAttribute('width',w);svg.setAttribute('height',h);
let k=1,x=0,y=0;
const show=()=>svg.style.transform=`translate(${x}px,${y}px) scale(${k})`;
const fit=()=>{k=Math.min(1,(innerWidth-24)/w,(innerHeight-24)/h);x=(innerWidth-w*k)/2;y=(innerHeight-h*k)/2;show()};
const zoom=(f,px,py)=>{const n=Math.min(4,Math.max(.02,k*f));x=px-(px-x)*n/k;y=py-(py-y)*n/k;k=n;show()};
view.addEventListener('wheel',e=>{e.preventDefault();zoom(Math.exp(-e.deltaY*.0015),e.clientX,e.clientY)},{passive:false});
let from=null,moved=false;
view.addEventListener('pointerdown',e=>{from=[e.clientX-x,e.clientY-y,e.clientX,e.clientY];moved=false});
addEventListener('pointermove',e=>{if(!from)return;if(!moved&&Math.hypot(e.clientX-from[2],e.clientY-from[3])<4)return;moved=true;view.classList.add('drag');x=e.clientX-from[0];y=e.clientY-from[1];show()});
addEventListener('pointerup',()=>{from=null;view.classList.remove('drag')});
const clear=()=>document.querySelectorAll('.on,.in,.out').forEach(e=>e.classList.remove('on','in','out'));
function select(i,centre){clear();const g=document.getElementById('box'+i);if(!g)return;g.classList.add('on');
 EDGES.forEach(([a,b],e)=>{const p=document.getElementById('edge'+e);if(!p)return;if(b===i)p.classList.add('in');if(a===i)p.classList.add('out')});
 const b=BOXES[i];card.replaceChildren();const add=(t,c,s)=>{const e=document.createElement(t);if(c)e.className=c;e.textContent=s;card.append(e);return e};
 add('h2','',b.name);add('div','op',b.op||'');const dl=add('dl','','');
 for(const [key,value] of b.facts){const dt=document.createElement('dt');dt.textContent=key;const dd=document.createElement('dd');dd.textContent=value;dl.append(dt,dd)}
 const links=(key,list)=>{if(!list.length)return;const dt=document.createElement('dt');dt.textContent=key;const dd=document.createElement('dd');
  list.forEach((j,n)=>{if(n)dd.append(', ');const a=document.createElement('a');a.textContent=BOXES[j].name;a.onclick=()=>select(j,true);dd.append(a)});dl.append(dt,dd)};
 links('from',[...new Set(EDGES.filter(e=>e[1]===i).map(e=>e[0]))]);links('to',[...new Set(EDGES.filter(e=>e[0]===i).map(e=>e[1]))]);
 card.hidden=false;if(centre){const r=g.getBBox();k=Math.max(k,.6);x=innerWidth/2-(r.x+r.width/2)*k;y=innerHeight/2-(r.y+r.height/2)*k;show()}}
view.addEventListener('click',e=>{if(moved)return;const g=e.target.closest('.box');if(g)return select(+g.id.slice(3),false);
 const line=e.target.closest('.edge');if(line)return select(EDGES[+line.id.slice(4)][0],true);clear();card.hidden=true});
document.getElementById('fit').onclick=fit;
find.addEventListener('change',()=>{const t=find.value.toLowerCase();const i=BOXES.findIndex(b=>b.name.toLowerCase().includes(t)||(b.op||'').toLowerCase().includes(t));if(t&&i>=0)select(i,true)});
addEventListener('keydown',e=>{if(e.target===find)return;if(e.key==='f')fit();if(e.key==='+')zoom(1.25,innerWidth/2,innerHeight/2);if(e.key==='-')zoom(.8,innerWidth/2,innerHeight/2);if(e.key==='Escape'){clear();card.hidden=true}});
fit();
)";

std::string hex(uint32_t rgb) {
  char text[16];
  std::snprintf(text, sizeof text, "#%06X", rgb);
  return text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

using Json = nlohmann::ordered_json;

Json facts(const GraphScene& scene, const SceneBox& box) {
  Json list = Json::array();
  auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) list.push_back({display_cut(key, 100), display_cut(value, 400)});
  };
  if (!box.node.graph) return list;
  const Program& program = *scene.program;
  const Graph& graph = program.graphs[box.node.graph];
  const Node& node = graph.node(box.node.node);
  if (box.kind == BoxKind::Module) add("module", program.modules.modules[box.module].path);
  if (box.kind == BoxKind::Module || box.kind == BoxKind::Chunk || box.kind == BoxKind::Subgraph) return list;
  add("output", type_label(node.val));
  if (node.module && program.modules.modules.contains(node.module)) add("module", program.modules.modules[node.module].path);
  if (node.kind == NodeKind::CallFunction)
    for (const NodeArgument& argument : node.inputs) add(argument.name.empty() ? "argument" : argument.name, argument_label(graph, argument.value));
  for (const Chip& chip : scene.chips_of(box)) {
    const Node& placeholder = program.root_graph().node(chip.placeholder);
    add(chip.written ? "writes" : "reads", std::string(chip.text) + " (" + std::string(placeholder.name) + ")");
  }
  if (node.meta && !node.meta->stack_trace.empty()) {
    const auto frames = parse_stack_trace(node.meta->stack_trace);
    if (!frames.empty()) add("source", std::string(frames.back().file) + ":" + std::to_string(frames.back().line) + " " + std::string(frames.back().code));
  }
  return list;
}

}  // namespace

std::string html_page(const GraphScene& scene, const std::string& svg, const std::string& title, const PictureStyle& style) {
  Json boxes = Json::array(), edges = Json::array();
  for (const SceneBox& box : scene.boxes) boxes.push_back({{"name", box.title}, {"op", box.subtitle}, {"facts", facts(scene, box)}});
  for (const SceneEdge& edge : scene.edges) edges.push_back({edge.from.index, edge.to.index});
  // Inside <script> only "</" could end the text early.
  auto script_json = [](const Json& json) {
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace), out;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '<') out += "\\u003c";
      else out += text[i];
    }
    return out;
  };
  std::string page = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n<title>" + escaped(title) + "</title>\n<style>:root{";
  const std::pair<const char*, Role> roles[] = {{"canvas", Role::Canvas}, {"panel", Role::Panel}, {"border", Role::Border}, {"text", Role::Text},
                                                {"text2", Role::Text2}, {"accent", Role::Accent}, {"up", Role::Upstream}, {"down", Role::Downstream}};
  for (const auto& [name, role] : roles) page += std::string("--") + name + ":" + hex(color_rgb(style.theme, role)) + ";";
  page += std::string("}") + kStyle + "</style></head>\n<body><div id=\"view\">\n" + svg +
          "</div>\n<div id=\"bar\"><button id=\"fit\" title=\"Fit (f)\">Fit</button><input id=\"find\" placeholder=\"Find a node\"></div>\n<div id=\"card\" hidden></div>\n<script>\nconst BOXES=" +
          script_json(boxes) + ",EDGES=" + script_json(edges) + ";" + kScript + "</script></body></html>\n";
  return page;
}

}  // namespace pt2::app
