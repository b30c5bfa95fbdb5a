import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useLetterKeys } from "../app/letter-keys.js";
import { SEARCH_BOX_ID } from "../app/focus.js";
import { APP_TEXTS } from "../app/messages.js";
import { useTexts } from "../language/catalogue.js";
import { Icon } from "../ui/icon.js";

/** The one search box. It accepts any number of an order, with spaces around it. */
export function SearchBox() {
  const texts = useTexts(APP_TEXTS);
  const navigate = useNavigate();
  const hasKeys = useLetterKeys();
  const { q: asked = "" } = useSearch({ strict: false });
  const [typed, setTyped] = useState<string>();
  return (
    <form
      className="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const q = (typed ?? asked).trim();
        setTyped(undefined);
        if (q !== "") void navigate({ to: "/search", search: { q } });
      }}
    >
      <Icon name="search" />
      <input
        id={SEARCH_BOX_ID}
        type="search"
        data-unsent={typed === undefined ? undefined : true}
        value={typed ?? asked}
        maxLength={200}
        enterKeyHint="search"
        aria-label={texts.search}
        aria-keyshortcuts={hasKeys ? "/" : undefined}
        placeholder={texts.searchHint}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      {hasKeys && <kbd aria-hidden="true">/</kbd>}
    </form>
  );
}
