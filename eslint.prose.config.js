import markdown from "@eslint/markdown";
import { defineConfig, globalIgnores } from "eslint/config";

/** Patterns of phrases that readers have to decode, each with the plain form to write instead. */
const BANNED_PHRASES = [
  ["unless told", "Write `by default`, or `unless … is set`."],
  ["who(?:m|so)?ever", "Name the actor: the caller, the next process, an operator."],
  ["of these", "Name the things again."],
  ["that is of", "Say what belongs to what."],
  ["a no(?= that| ends|[.,;:])|noes", "Write `a refusal`."],
  ["comes? to nothing", "Say what happens: fails, has no effect, is refused."],
  [
    "(?:where|while|once|until) there is (?:no )?room",
    "Name the limit: slots, connections, free disk space.",
  ],
  ["hears? of", "Write `receives`, or name the event."],
  ["(?:its|their) kin", "Name the others, or write `similar`."],
  ["in the words of", "Write `in the format of`."],
  ["nobody knows", "Write `unknown`."],
  ["(?:store|storage|port) verbs?|atomic verbs?", "Write `method`."],
];

const banned = BANNED_PHRASES.flatMap(([phrase, message]) =>
  ["text", "code"].map((node) => ({
    selector: `${node}[value=/\\b(?:${phrase.replaceAll(" ", "\\s+")})(?![\\w-])/i]`,
    message: `Banned phrase /${phrase}/. ${message}`,
  })),
);

export default defineConfig(
  globalIgnores([
    "**/dist/",
    "**/coverage/",
    "**/.tillkit/",
    ".changeset/",
    "docs/decisions/",
    "docs/reference/",
  ]),
  {
    files: ["**/*.md"],
    plugins: { markdown },
    language: "markdown/gfm",
    extends: ["markdown/recommended"],
    rules: { "no-restricted-syntax": ["error", ...banned] },
  },
);
