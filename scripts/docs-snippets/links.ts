import { existsSync } from "node:fs";
import { posix } from "node:path";
import { root } from "@tillkit/repository";
import type { DocPage } from "./pages.js";

const FENCED = /^```.*?^```[ \t]*$/gmsu;
const LINK = /\]\(([^)\s]+)\)/gu;

/** Returns the links of a page to files that do not exist. Ignores web addresses and anchors. */
export function brokenLinks({ path, text }: DocPage): readonly string[] {
  const targets = [...text.replace(FENCED, "").matchAll(LINK)].flatMap(({ 1: target = "" }) => target);
  return targets.filter((target) => {
    const file = target.split("#")[0] ?? "";
    const elsewhere = file === "" || /^[a-z]+:/u.test(file);
    return !elsewhere && !existsSync(`${root}${posix.join(posix.dirname(path), file)}`);
  });
}
