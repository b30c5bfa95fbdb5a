/**
 * Returns the links to headings that do not exist, one text per link.
 *
 * VitePress itself only checks that the page of a link exists.
 *
 * @param pages - the HTML of every page by its address, such as `/guide/payments.html`.
 */
export function deadAnchors(pages: ReadonlyMap<string, string>): readonly string[] {
  const ids = new Map(
    [...pages].map(([address, html]) => [
      address,
      new Set([...html.matchAll(/\sid="([^"]+)"/gu)].map(([, id]) => id)),
    ]),
  );
  return [...pages].flatMap(([address, html]) =>
    [...html.matchAll(/\shref="([^"#:]*)#([^"]+)"/gu)]
      .filter(([, path = "", anchor = ""]) => {
        const target = path === "" ? address : path.replace(/\/$/u, "/index.html");
        // The theme links to the main part of the page for users of a keyboard.
        return anchor !== "VPContent" && ids.get(target)?.has(decodeURIComponent(anchor)) !== true;
      })
      .map(([, path = "", anchor = ""]) => `${address} links to ${path}#${anchor}, which does not exist`),
  );
}
