// node reader.js PAGE < {"name": "text", ...}: what the page's reader says of each, as JSON.
"use strict";
const fs = require("fs");
const page = fs.readFileSync(process.argv[2], "utf8");
const source = page.slice(page.indexOf("function startChecker"), page.indexOf("\nconst bytesOf"));
const wasm = page.match(/<script id="wasm" type="text\/plain">([^<]*)</)[1];
const checker = new Function(source + "; return startChecker;")()(Buffer.from(wasm.trim(), "base64"));
const files = JSON.parse(fs.readFileSync(0, "utf8")), said = {};
for (const [name, text] of Object.entries(files)) said[name] = checker.read(text, name);
process.stdout.write(JSON.stringify(said));
