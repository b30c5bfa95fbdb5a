// Replaces VitePress's module of this name, which leads to the same page of the other language even
// if that page does not exist.
import { useData } from "vitepress";
import { computed } from "vue";

/**
 * Returns the current language and the links to the others.
 *
 * A link leads to the same page of the other language, or to its home page if there is no such
 * page.
 *
 * @param correspondingLink - false: all links lead to home pages.
 */
export function useLangs({ correspondingLink = false } = {}) {
  const { site, localeIndex, page } = useData();
  const homeOf = (locale: string) => (locale === "root" ? "/" : `/${locale}/`);
  const currentLang = computed(() => ({
    label: site.value.locales[localeIndex.value]?.label,
    link: homeOf(localeIndex.value),
  }));
  const localeLinks = computed(() =>
    Object.entries(site.value.locales)
      .filter(([locale]) => locale !== localeIndex.value)
      .map(([locale, { label }]) => {
        const counterpart: unknown = page.value.frontmatter["counterpart"];
        return correspondingLink && typeof counterpart === "string"
          ? { text: label, link: counterpart }
          : { text: label, link: homeOf(locale) };
      }),
  );
  return { localeLinks, currentLang };
}
