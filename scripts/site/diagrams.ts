import { renderMermaidSVG } from "beautiful-mermaid";

const TITLE = /^\s*accTitle:(.+)\n/mu;
const DESCRIPTION = /^\s*accDescr\s*\{([^}]+)\}\s*\n/mu;

/**
 * Renders a Mermaid diagram as a figure with an inline SVG. The site's style sheet sets its
 * colours.
 *
 * Throws if the diagram has no `accTitle: …` or no `accDescr { … }`. Readers who cannot see the
 * picture need these texts.
 *
 * @param id - unique on the page.
 */
export function diagramFigure(source: string, id: string): string {
  const title = TITLE.exec(source)?.[1]?.trim();
  const description = DESCRIPTION.exec(source)?.[1]?.trim().replace(/\s+/gu, " ");
  if (title === undefined || description === undefined) {
    throw new Error(`This diagram needs "accTitle: …" and "accDescr { … }":\n${source}`);
  }
  const picture = renderMermaidSVG(source.replace(TITLE, "").replace(DESCRIPTION, ""), { padding: 8 })
    // Vue ignores style elements, and this one loads a font from the network.
    .replace(/<style>.*?<\/style>/su, "")
    .replaceAll(/(?<=\sid="|url\(#)/gu, `${id}-`)
    .replace(
      /^<svg ([^>]*?) style="[^"]*">/u,
      `<svg $1 role="img" aria-labelledby="${id}-title ${id}-description">` +
        `<title id="${id}-title">${escaped(title)}</title>` +
        `<desc id="${id}-description">${escaped(description)}</desc>`,
    );
  // A wide picture scrolls, so the keyboard must be able to focus it.
  return `<figure class="diagram" tabindex="0" v-pre>${picture}</figure>\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
