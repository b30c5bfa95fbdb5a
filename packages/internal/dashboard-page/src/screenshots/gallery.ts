/** The languages, themes and widths of the pictures of a view. */
export const LANGUAGES = ["en", "zh"] as const;
export const THEMES = ["light", "dark"] as const;
export const WIDTHS = [1_280, 390] as const;

type Language = (typeof LANGUAGES)[number];
type Theme = (typeof THEMES)[number];

/** Returns the name of the file of a picture, without its extension. */
export function pictureName(view: string, language: Language, theme: Theme, width: number): string {
  return `${view}-${language}-${theme}-${String(width)}`;
}

const TITLES = { en: "English", zh: "Chinese" } as const;

/** Returns a page of Markdown with every picture, in the folder `folder` relative to the page. */
export function galleryText(views: readonly string[], folder: string): string {
  const picture = (view: string, language: Language, theme: Theme, width: number): string =>
    `![${titleOf(view)}, ${TITLES[language]}, ${theme}, ${String(width)} pixels](${folder}/${pictureName(view, language, theme, width)}.webp)`;
  const sections = views.map((view) => {
    const rows = LANGUAGES.flatMap((language) =>
      THEMES.map(
        (theme) => `| ${WIDTHS.map((width) => picture(view, language, theme, width)).join(" | ")} |`,
      ),
    );
    return [`## ${titleOf(view)}`, ["| Wide | Narrow |", "| --- | --- |", ...rows].join("\n")].join("\n\n");
  });
  return [
    "# Pictures of the operators' page",
    "`npm run page -- screenshots` takes these pictures: every view, in both languages and themes, on a wide and on a narrow screen. [The operators' page](guide/dashboard.md) explains the views.",
    ...sections,
    "",
  ].join("\n\n");
}

function titleOf(view: string): string {
  const words = view.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
