import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, retainSearchParams, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { askForLanguage } from "../api/request.js";
import { useTexts } from "../language/catalogue.js";
import { browserLanguage, isLanguage, LANGUAGE_TAGS, LanguageContext } from "../language/language.js";
import { SessionGate } from "../session/session-gate.js";
import { PageTitle } from "../ui/page-title.js";
import { APP_TEXTS } from "./messages.js";
import { Preferences } from "./preferences.js";
import { searchParams } from "./search-params.js";
import { Shell } from "./shell.js";

/** The root of all routes. It reads the language, which is part of every address. */
export const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  validateSearch: searchParams("lang"),
  search: { middlewares: [retainSearchParams(["lang"])] },
  component: Root,
  notFoundComponent: NotFound,
});

function Root() {
  const { lang: asked } = useSearch({ from: "__root__" });
  // If the address names no language of the page, the language switch shows this.
  const lang = isLanguage(asked) ? asked : browserLanguage();
  // Must run before the views below request texts in this language.
  askForLanguage(LANGUAGE_TAGS[lang]);
  useEffect(() => {
    document.documentElement.lang = LANGUAGE_TAGS[lang];
  }, [lang]);
  return (
    <LanguageContext value={lang}>
      <SessionGate around={<Preferences />}>
        <Shell />
      </SessionGate>
    </LanguageContext>
  );
}

function NotFound() {
  const texts = useTexts(APP_TEXTS);
  return (
    <>
      <PageTitle title={texts.notFound} />
      <p>{texts.notFoundHelp}</p>
    </>
  );
}
