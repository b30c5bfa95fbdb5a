import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, inject, it } from "vitest";

/** What browsers may have to download before the page works, in bytes. */
const LIMIT = 250 * 1024;

const folder = inject("pageFolder");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.(?:html|js|css|svg)$/.test(file),
);

it("the page has at most 250 KiB after compression", () => {
  expect(files.length).toBeGreaterThan(3);
  const sizes = files.map((file) => gzipSync(readFileSync(`${folder}/${file}`)).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(LIMIT);
});

it("the page has compressed copies of its scripts and styles, and names the licenses of its libraries", () => {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => /\.(?:js|css)$/.test(name))) {
    expect(all).toEqual(expect.arrayContaining([`${file}.br`, `${file}.gz`]));
  }
  expect(readFileSync(`${folder}/licenses.md`, "utf8")).toContain("react-dom");
});

it("the page has no inline script and no inline style", () => {
  const html = readFileSync(`${folder}/index.html`, "utf8");
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
});
