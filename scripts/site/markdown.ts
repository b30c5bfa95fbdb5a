import { relative } from "node:path";
import { root } from "@tillkit/repository";
import type { MarkdownRenderer } from "vitepress";
import * as z from "zod";
import { PAGES, siteAddressOf, sitePictureOf } from "./addresses.js";
import { diagramFigure } from "./diagrams.js";

/** The part of VitePress's environment that names the file of a page. */
const environment = z.object({ path: z.string(), realPath: z.string().optional() });

/** Replaces the links and pictures of pages, which are written for GitHub, by those of the site. */
export function linkToSite(md: MarkdownRenderer): void {
  md.core.ruler.push("link-to-site", ({ tokens, env }) => {
    const parts = tokens.flatMap(({ children }) => children ?? []);
    const links = parts.filter(({ type }) => type === "link_open");
    const pictures = parts.filter(({ type }) => type === "image");
    if (links.length + pictures.length === 0) return;
    const { path, realPath = path } = environment.parse(env);
    const page = relative(root, realPath);
    // The home page includes the README of the repository.
    const from = page === `${PAGES}index.md` ? "README.md" : page;
    for (const link of links) link.attrSet("href", siteAddressOf(from, link.attrGet("href") ?? ""));
    for (const picture of pictures) picture.attrSet("src", sitePictureOf(from, picture.attrGet("src") ?? ""));
  });
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
