import markdown from "@eslint/markdown";
import { defineConfig, globalIgnores } from "eslint/config";
import { bannedPhrases } from "./banned-phrases.js";

/** A phrase in prose or in a code block of Markdown. A phrase may be broken into two lines. */
const banned = bannedPhrases.flatMap((phrase) =>
  ["text", "code"].map((node) => ({
    selector: `${node}[value=/\\b${phrase.replaceAll(" ", "\\s+")}\\b/i]`,
    message: `Replace "${phrase}" by plain English.`,
  })),
);

export default defineConfig(globalIgnores(["**/dist/", "**/coverage/", "**/.tillkit/"]), {
  files: ["**/*.md"],
  plugins: { markdown },
  language: "markdown/gfm",
  languageOptions: { frontmatter: "yaml" },
  extends: ["markdown/recommended"],
  rules: { "no-restricted-syntax": ["error", ...banned] },
});
