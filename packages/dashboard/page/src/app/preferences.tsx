import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { FILTER_TEXTS } from "../filters/messages.js";
import { useTexts } from "../language/catalogue.js";
import { isLanguage, useLanguage } from "../language/language.js";
import { Select } from "../ui/select.js";
import { APP_TEXTS } from "./messages.js";
import { chooseTheme, storedTheme, THEMES } from "./theme.js";

/** The switches for language and theme. The language is part of the address. */
export function Preferences() {
  const texts = useTexts(APP_TEXTS);
  const language = useLanguage();
  const navigate = useNavigate();
  const { lang: asked = language } = useSearch({ from: "__root__" });
  const filterTexts = useTexts(FILTER_TEXTS);
  const [theme, setTheme] = useState(storedTheme);
  return (
    <div className="preferences">
      <Select
        label={texts.language}
        value={asked}
        problem={isLanguage(asked) ? undefined : filterTexts.choice(asked)}
        choices={[
          { value: "en", label: "English" },
          { value: "zh", label: "简体中文" },
        ]}
        onChange={(lang) => {
          if (isLanguage(lang))
            void navigate({ to: ".", search: (now) => ({ ...now, lang }), replace: true });
        }}
      />
      <Select
        label={texts.theme}
        value={theme}
        choices={THEMES.map((value) => ({ value, label: texts[value] }))}
        onChange={(value) => {
          const chosen = THEMES.find((one) => one === value) ?? "system";
          setTheme(chosen);
          chooseTheme(chosen);
        }}
      />
    </div>
  );
}
