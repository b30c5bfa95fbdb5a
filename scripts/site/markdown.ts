import { relative } from "node:path";
import { root } from "@tillkit/repository";
import type { MarkdownRenderer } from "vitepress";
import * as z from "zod";
import { siteAddressOf } from "./addresses.js";
import { diagramFigure } from "./diagrams.js";

/** The part of VitePress's environment that names the file of a page. */
const environment = z.object({ path: z.string(), realPath: z.string().optional() });

/** Replaces the links of pages, which are written for GitHub, by those of the site. */
export function linkToSite(md: MarkdownRenderer): void {
  md.core.ruler.push("link-to-site", ({ tokens, env }) => {
    const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === "link_open");
    if (links.length === 0) return;
    const { path, realPath = path } = environment.parse(env);
    for (const link of links) {
      link.attrSet("href", siteAddressOf(relative(root, realPath), link.attrGet("href") ?? ""));
    }
  });
}

/** Renders pictures of other servers, such as the badges of the README, as their texts. */
export function showOwnPictures(md: MarkdownRenderer): void {
  const { image } = md.renderer.rules;
  if (image === undefined) throw new Error("VitePress renders no pictures");
  md.renderer.rules.image = (tokens, index, ...rest) => {
    const token = tokens[index];
    return token && /^https?:/u.test(token.attrGet("src") ?? "")
      ? md.utils.escapeHtml(token.content)
      : image(tokens, index, ...rest);
  };
}

/** Renders blocks fenced as `mermaid` as pictures. */
export function drawDiagrams(md: MarkdownRenderer): void {
  const { fence } = md.renderer.rules;
  if (fence === undefined) throw new Error("VitePress renders no code blocks");
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    return token?.info.trim() === "mermaid"
      ? diagramFigure(token.content, `diagram-${index}`)
      : fence(tokens, index, ...rest);
  };
}
