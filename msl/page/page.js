"use strict";
const byId = (id) => document.getElementById(id);
const svgNames = new Set(["svg", "rect", "circle", "line", "text", "path", "title", "polyline"]);

// An element: attributes, then children (text is text, never markup).
function el(name, attributes = {}, ...children) {
  const node = svgNames.has(name) ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) node.setAttribute(key, value);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

// ---- the checker: place-msl's own, in WebAssembly ----
function startChecker(bytes) {
  let memory = null;
  const wasi = {fd_write: () => 8, fd_close: () => 8, fd_seek: () => 8}; // it writes to no file
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {wasi_snapshot_preview1: new Proxy(wasi, {get: (all, name) => all[name] || (() => 8)})});
  const {room, release, read, fields, _initialize} = instance.exports;
  memory = instance.exports.memory;
  if (_initialize) _initialize();
  const put = (text) => {
    const encoded = new TextEncoder().encode(text), at = room(encoded.length + 1);
    if (!at) throw new Error("out of memory");
    const view = new Uint8Array(memory.buffer, at, encoded.length + 1);
    view.set(encoded);
    view[encoded.length] = 0;
    return {at, length: encoded.length};
  };
  const take = (at) => {
    const view = new Uint8Array(memory.buffer, at);
    return JSON.parse(new TextDecoder().decode(view.subarray(0, view.indexOf(0))));
  };
  return {
    fields: take(fields()),
    read(text, name) {
      const content = put(text), file = put(name), result = take(read(content.at, content.length, file.at));
      release(content.at);
      release(file.at);
      return result;
    },
  };
}

const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
const checker = startChecker(bytesOf(byId("wasm").textContent.trim()));

// ---- the state ----
const state = {name: "machine.msl", text: "", result: null, fields: [], machine: null, saved: ""};
const template = `Mem spec of My GPU:

die = 1 tpc; tpc = 16 sm; sm = 128 core;
clock = 1500MHz;

globalMem 1 Y RW na 8G 128B ? ? <L2> <> die ? warp{address1/blockSize != address2/blockSize}
    bandwidth = ?;
L2 2 N RW na 4M 32B ? ? <> <globalMem> die ? warp{address1/blockSize != address2/blockSize};
sharedMem 3 Y RW na 48K ? 32 ? <> <> sm ? block{word1 != word2 && word1%banks == word2%banks};
`;

// Bytes of UTF-8 to places in a string.
function placesOf(text) {
  const places = [];
  let byte = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i), bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (let k = 0; k < bytes; k++) places[byte++] = i;
    if (bytes === 4) i++;
  }
  places[byte] = text.length;
  return places;
}

function fieldsOf(text, result) {
  const places = placesOf(text);
  return result.spans.map(([memory, field, from, to]) => ({memory, field, from: places[from], to: places[to]}));
}

function placeOf(text, line, column) {
  let at = 0;
  for (let i = 1; i < line; i++) at = text.indexOf("\n", at) + 1;
  return at + Array.from(text.slice(at).split("\n", 1)[0]).slice(0, column - 1).join("").length;
}

// A new text. edited: {from, to, length} where a field's value was exchanged; then the other fields are known to have moved on.
function setText(text, edited) {
  state.text = text;
  state.result = checker.read(text, state.name);
  if (!state.result.broken && state.result.count - state.result.errors.length === 0) state.fields = fieldsOf(text, state.result);
  else if (edited) {
    const moved = edited.length - (edited.to - edited.from);
    for (const f of state.fields) {
      if (f.from === edited.from) f.to = f.from + edited.length;
      else if (f.from >= edited.to) f.from += moved, f.to += moved;
    }
  }
  state.stale = state.result.broken && !edited;
  if (state.result.machine) state.machine = {...state.result.machine, svg: state.result.svg};
  show(Boolean(edited));
}

// ---- messages ----
const specOf = (f) => (f.memory < 0 ? checker.fields.processor : checker.fields.memory)[f.field];
const valueOf = (f) => state.text.slice(f.from, f.to);
const nameOfMemory = (memory) => { const f = state.fields.find((one) => one.memory === memory && one.field === 0); return f ? valueOf(f) : "memory " + (memory + 1); };
const labelOf = (f) => specOf(f).key + (specOf(f).item ? " = … " + specOf(f).item : "");

// A value is at fault where an error is in it, or just behind it: what ends a value too early is shown there.
function fieldAt(place) {
  return state.fields.find((f) => f.from <= place && place < Math.max(f.to, f.from + 1)) || state.fields.find((f) => place === f.to);
}

function showMessages() {
  const {result, machine} = state, status = byId("status");
  status.className = result.count ? "bad" : "good";
  status.textContent = result.count ? `${result.count} error${result.count > 1 ? "s" : ""}: place does not read this file` :
    `No errors: ${machine.name || "machine"}, ${machine.memories.length} memories`;
  byId("messages").replaceChildren(...result.errors.map((error) => {
    const place = error.line ? placeOf(state.text, error.line, error.column) : 0, f = state.stale || !error.line ? null : fieldAt(place);
    const where = error.line ? `Line ${error.line}, column ${error.column}` : "The file";
    const jump = el("button", {type: "button"}, where + (f ? ` (${f.memory < 0 ? "processor" : nameOfMemory(f.memory)}, ${labelOf(f)})` : ""));
    jump.addEventListener("click", () => { byId("text").focus(); byId("text").setSelectionRange(place, place + 1); });
    error.field = f;
    return el("li", {}, jump, ": " + error.message, error.line ? el("pre", {"aria-hidden": "true"}, error.excerpt + "\n" + " ".repeat(Math.max(error.caret - 1, 0)) + "^") : null);
  }));
  if (result.count > result.errors.length) byId("messages").append(el("li", {}, `${result.count - result.errors.length} more errors`));
}

// ---- fields ----
const hints = {
  0: "a letter or _, then letters, digits, _", 1: "a number", 2: "Y: an array can be put there; N: a cache", 3: "R, W or RW", 4: "a number", 5: "48K, 64M, <64B 32B>",
  6: "32clk, 0.5us, or <read write>", 7: "<nearest … farthest>, by name", 8: "core, sm, tpc or die", 9: "above 0, up to 1", 10: "warp{address1 != address2}", 11: "a name",
  12: "128B, 48K", 13: "128B/clk", 14: "4280GB/s", 15: "<<256B 0.3ns> <48K 1.5ns>>", 16: "<<1 0.3ns> <32 2ns>>", 17: "1980MHz", 18: "sm_90"};

function exchange(f, value) {
  const edited = {from: f.from, to: f.to, length: value.length};
  setText(state.text.slice(0, f.from) + value + state.text.slice(f.to), edited);
}

function insert(at, text) { setText(state.text.slice(0, at) + text + state.text.slice(at)); }

function fieldRow(f, n) {
  const id = "field-" + n, spec = specOf(f), input = el("input", {id, type: "text", spellcheck: "false", autocomplete: "off", title: hints[spec.kind] + "; ? unknown, na not applicable", "aria-describedby": id + "-error"});
  input.value = valueOf(f);
  input.addEventListener("input", () => exchange(state.fields[n], input.value.replace(/\n/g, " ")));
  const row = el("div", {class: "field"}, el("label", {for: id}, labelOf(f)), input);
  if (f.memory >= 0 && f.field >= checker.fields.base) {
    const remove = el("button", {type: "button", "aria-label": `Remove ${spec.key} of ${nameOfMemory(f.memory)}`}, "×");
    remove.addEventListener("click", () => removeField(state.fields[n]));
    row.append(remove);
  }
  row.append(el("div", {class: "error", id: id + "-error"}));
  return row;
}

function removeField(f) {
  const before = state.text.slice(0, f.from).replace(/\s*[A-Za-z_0-9]+\s*=\s*$/, "");
  setText(before + state.text.slice(f.to));
}

function adder(memory, present) {
  const all = (memory < 0 ? checker.fields.processor : checker.fields.memory).map((spec, i) => ({spec, i}));
  const missing = all.filter(({i}) => (memory < 0 || i >= checker.fields.base) && !present.has(i));
  if (!missing.length) return null;
  const id = "add-" + memory, select = el("select", {id}, el("option", {value: ""}, "…"), missing.map(({spec, i}) => el("option", {value: i}, spec.key + (spec.item ? " = … " + spec.item : ""))));
  select.addEventListener("change", () => {
    if (select.value === "") return;
    const spec = all[Number(select.value)].spec, last = Math.max(...state.fields.filter((f) => f.memory === memory).map((f) => f.to));
    if (memory >= 0) insert(last, `\n    ${spec.key} = ?`);
    else insert(state.text.indexOf(";", last) + 1, `\n${spec.key} = ?${spec.item ? " " + spec.item : ""};`);
  });
  return el("p", {class: "small"}, el("label", {for: id}, "Add a field: "), select);
}

function addMemory() {
  const ids = state.fields.filter((f) => f.memory >= 0 && f.field === 1).map((f) => Number(valueOf(f)) || 0), names = new Set(state.fields.filter((f) => f.field === 0).map(valueOf));
  let n = 1;
  while (names.has("memory" + n)) n++;
  setText(state.text.replace(/\s*$/, "") + `\n\nmemory${n} ${Math.max(0, ...ids) + 1} Y RW na ? ? ? ? <> <> die ? ?;\n`);
}

const signature = () => state.fields.map((f) => f.memory + ":" + f.field).join(" ");

function buildFields() {
  const open = new Set([...document.querySelectorAll("#fields details[open]")].map((node) => node.dataset.memory));
  const groups = new Map([[-1, []]]);
  state.fields.forEach((f, n) => groups.set(f.memory, [...(groups.get(f.memory) || []), n]));
  const add = el("button", {type: "button"}, "Add a memory");
  add.addEventListener("click", addMemory);
  byId("fields").replaceChildren(...[...groups].map(([memory, list]) => el("details", {"data-memory": memory, open: open.has(String(memory)) ? "" : null},
    el("summary", {}, memory < 0 ? "Processor" : nameOfMemory(memory)), list.map((n) => fieldRow(state.fields[n], n)), adder(memory, new Set(list.map((n) => state.fields[n].field))))), el("p", {}, add));
  buildFields.last = signature();
}

function showFields(kept) {
  byId("stale").hidden = !state.stale;
  if (!kept || (!state.result.broken && signature() !== buildFields.last)) if (!state.stale) buildFields();
  state.fields.forEach((f, n) => {
    const input = byId("field-" + n);
    if (!input) return;
    input.disabled = state.stale;
    if (document.activeElement !== input) input.value = state.stale ? input.value : valueOf(f);
    const said = state.result.errors.filter((error) => error.field === f).map((error) => error.message);
    input.setAttribute("aria-invalid", said.length ? "true" : "false");
    byId("field-" + n + "-error").textContent = said.join("; ");
    if (said.length) input.closest("details").open = true;
  });
  for (const node of document.querySelectorAll("#fields details")) if (node.dataset.memory >= 0) node.firstChild.textContent = nameOfMemory(Number(node.dataset.memory));
}

// ---- pictures ----
function showPicture() {
  const parsed = new DOMParser().parseFromString(state.machine.svg, "image/svg+xml").documentElement;
  parsed.setAttribute("role", "img");
  parsed.setAttribute("aria-label", "Memories: " + state.machine.memories.map((m) => m.name).join(", "));
  byId("picture").replaceChildren(document.importNode(parsed, true));
}

const digits = (value) => Number(value.toPrecision(value >= 1000 ? Math.ceil(Math.log10(value + 1)) : 3)).toString();

function showLatencies() {
  const known = state.machine.memories.filter((m) => m.read_clk !== null || m.read_ns !== null), unit = known.every((m) => m.read_clk !== null) ? "clk" : "ns";
  const read = (m) => unit === "clk" ? m.read_clk : m.read_ns, shown = known.filter((m) => read(m) !== null).sort((a, b) => read(a) - read(b));
  if (!shown.length) return byId("latencies").replaceChildren(el("p", {class: "small"}, "No memory's latency is given."));
  const most = Math.max(...shown.map(read)), words = shown.map((m) => `${m.name} ${digits(read(m))} ${unit}`).join(", ");
  const chart = el("svg", {class: "chart", viewBox: `0 0 600 ${26 * shown.length + 4}`, role: "img", "aria-label": "Latency of a read: " + words});
  shown.forEach((m, i) => chart.append(el("text", {x: 0, y: 26 * i + 17}, m.name), el("rect", {class: "read", x: 110, y: 26 * i + 4, width: Math.max(2, 380 * read(m) / most), height: 16, rx: 3}),
    el("text", {class: "quiet", x: 118 + 380 * read(m) / most, y: 26 * i + 16}, `${digits(read(m))} ${unit}`)));
  byId("latencies").replaceChildren(el("p", {class: "small"}, "Of a read that is served there."), chart);
}

const curveTexts = {
  workingSet: "one warp access, walking that many bytes", workingSet4: "one load of 4 bytes a lane, walking that many bytes", workingSet8: "one load of 8 bytes a lane, walking that many bytes",
  workingSet16: "one load of 16 bytes a lane, walking that many bytes", uniformSet4: "one uniform load of 4 bytes, walking that many bytes", uniformSet8: "one uniform load of 8 bytes, walking that many bytes",
  distinct: "one warp access with that many different addresses", transactions: "one warp access of that many transactions", lookUp: "one random look-up in a table of that many bytes", staging: "copying that many bytes there"};

function ticks(from, to) {
  const all = [];
  for (let exponent = Math.floor(Math.log10(from)); exponent <= Math.ceil(Math.log10(to)); exponent++)
    for (const factor of to / from > 50 ? [1] : [1, 2, 5]) all.push(factor * 10 ** exponent);
  return all.filter((value) => value >= from * 0.999 && value <= to * 1.001);
}

// Heights moved so that none is nearer than `gap` to another, nor below `lowest`, in their order.
function apart(heights, gap, lowest) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]), moved = [...heights];
  order.forEach((i, n) => { if (n) moved[i] = Math.max(moved[i], moved[order[n - 1]] + gap); });
  let most = lowest;
  for (const i of order.reverse()) { moved[i] = Math.min(moved[i], most); most = moved[i] - gap; }
  return moved;
}

function chartOf(key, lines) {
  const points = lines.flatMap((line) => line.points), xs = points.map((p) => Math.max(p[0], 1)), ys = points.map((p) => Math.max(p[1], 1e-3));
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs) * 1.0001, Math.min(...ys) * 0.8, Math.max(...ys) * 1.25], bytes = !["distinct", "transactions"].includes(key);
  const x = (value) => 54 + 400 * Math.log(Math.max(value, 1) / x0) / Math.log(Math.max(x1 / x0, 1.001)), y = (value) => 172 - 160 * Math.log(Math.max(value, 1e-3) / y0) / Math.log(y1 / y0);
  const unit = (value) => bytes ? (value >= 1024 ? digits(value / 1024) + "K" : digits(value) + "B") : digits(value);
  const chart = el("svg", {class: "chart", viewBox: "0 0 600 204", role: "img", "aria-label": `${key}: ` + lines.map((line) => line.name + " " + line.points.map((p) => `${unit(p[0])} ${digits(p[1])} ns`).join(", ")).join("; ")});
  for (const value of ticks(y0, y1)) chart.append(el("line", {class: "axis", x1: 54, x2: 454, y1: y(value), y2: y(value)}), el("text", {class: "quiet", x: 48, y: y(value) + 4, "text-anchor": "end"}, digits(value) + " ns"));
  chart.append(el("line", {class: "axis", x1: 54, x2: 454, y1: 172, y2: 172}), el("text", {class: "quiet", x: 54, y: 190}, unit(x0)), el("text", {class: "quiet", x: 454, y: 190, "text-anchor": "end"}, unit(x1)));
  const ends = lines.map((line) => line.points[line.points.length - 1]), heights = apart(ends.map((end) => y(end[1]) + 4), 13, 176);
  lines.forEach((line, i) => {
    const colour = `var(--c${line.index % 6})`, dash = ["", "6 3", "2 3", "8 3 2 3", "12 4", "4 2 1 2"][line.index % 6];
    chart.append(el("polyline", {class: "curve", points: line.points.map((p) => `${x(p[0]).toFixed(1)},${y(p[1]).toFixed(1)}`).join(" "), stroke: colour, "stroke-dasharray": dash}),
      ...line.points.map((p) => el("circle", {cx: x(p[0]), cy: y(p[1]), r: 3, fill: p[2] ? "none" : colour, stroke: colour}, el("title", {}, `${line.name}: ${unit(p[0])}, ${p[2] ? "about " : ""}${digits(p[1])} ns`))),
      el("text", {class: "end", x: 462, y: heights[i], style: `fill:${colour}`}, `${line.name} ${digits(ends[i][1])} ns`));
  });
  return el("div", {}, el("h3", {}, key), el("p", {class: "small"}, "Cost of " + (curveTexts[key] || key) + "; both axes logarithmic, hollow points are uncertain."), chart);
}

function showCurves() {
  const kinds = new Map();
  state.machine.memories.forEach((memory, index) => {
    for (const [key, points] of Object.entries(memory.curves)) if (points.length) kinds.set(key, [...(kinds.get(key) || []), {name: memory.name, index, points}]);
  });
  byId("curves").replaceChildren(...(kinds.size ? [...kinds].map(([key, lines]) => chartOf(key, lines)) : [el("p", {class: "small"}, "No curve is given.")]));
}

function show(kept) {
  if (byId("text").value !== state.text) byId("text").value = state.text;
  document.title = state.name + (state.text === state.saved ? "" : " (changed)");
  showMessages();
  showFields(kept);
  byId("canonical").disabled = !state.result.machine;
  if (state.result.machine) { showPicture(); showLatencies(); showCurves(); }
  document.body.dataset.ready = "yes";
}

// ---- files ----
function open(name, text) {
  state.name = name;
  state.saved = text;
  setText(text.replace(/\r\n/g, "\n"));
}

function save(text) {
  const link = el("a", {href: URL.createObjectURL(new Blob([text], {type: "text/plain;charset=utf-8"})), download: state.name.split("/").pop()});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  state.saved = state.text;
  document.title = state.name;
}

byId("file").addEventListener("change", async (event) => { const file = event.target.files[0]; if (file) open(file.name, await file.text()); });
byId("text").addEventListener("input", () => setText(byId("text").value));
byId("save").addEventListener("click", () => save(state.text));
byId("canonical").addEventListener("click", () => save(state.result.canonical));
window.addEventListener("beforeunload", (event) => { if (state.text !== state.saved) event.preventDefault(); });

const machines = JSON.parse(byId("machines").textContent), opened = JSON.parse(byId("opened").textContent), examples = {"a new machine": template, ...machines};
byId("example").append(el("option", {value: ""}, "…"), ...Object.keys(examples).map((name) => el("option", {value: name}, name)));
byId("example").addEventListener("change", (event) => { const name = event.target.value; if (name) open(name in machines ? name : "machine.msl", examples[name]); event.target.value = ""; });
if (opened) open(opened.name, opened.text);
else open("machine.msl", template);
