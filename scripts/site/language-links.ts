const CHINESE = "zh/";

/**
 * Returns the pages without a link to the other language, one text per page.
 *
 * The link leads to the same page of the other language, or to its home page if there is no such
 * page.
 *
 * @param pages - the HTML of every page by its address, such as `/guide/payments.html`.
 * @param base - the path of the site on its server, with which the addresses begin.
 */
export function missingLanguageLinks(pages: ReadonlyMap<string, string>, base: string): readonly string[] {
  return [...pages].flatMap(([address, html]) => {
    const page = address.slice(base.length);
    if (page === "404.html") return [];
    const isChinese = page.startsWith(CHINESE);
    const other = base + (isChinese ? page.slice(CHINESE.length) : CHINESE + page);
    const home = base + (isChinese ? "" : CHINESE);
    const target = pages.has(other) ? other.replace(/(?<=\/)index\.html$/u, "") : home;
    const label = isChinese ? "English" : "简体中文";
    const links = [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(?:<!--.*?-->)?<span[^>]*>([^<]*)</gu)];
    return links.some(([, link, text]) => link === target && text === label)
      ? []
      : [`${address} has no link to ${target} named ${label}`];
  });
}
