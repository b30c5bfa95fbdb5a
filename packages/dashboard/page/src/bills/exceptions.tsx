import { Link } from "@tanstack/react-router";
import { useTexts } from "../language/catalogue.js";
import { formatCount } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { Loaded } from "../ui/loaded.js";
import { UI_TEXTS } from "../ui/messages.js";
import { ExceptionCard } from "./exception-card.js";
import { BILLS_TEXTS } from "./messages.js";
import { type ExceptionState, useExceptions } from "./queries.js";

interface ExceptionsProps {
  readonly state: ExceptionState;
  readonly before: string | undefined;
}

/** The exceptions in one state, the last found first. */
export function Exceptions({ state, before }: ExceptionsProps) {
  const texts = useTexts(BILLS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const language = useLanguage();
  const query = useExceptions(state, before);
  return (
    <Loaded query={query}>
      {({ items, older, total }) => (
        <>
          <p className="muted" role="status">
            {texts.total(formatCount(total, language))}
          </p>
          {items.length === 0 && (
            <div className="empty">
              <p>{texts.none}</p>
              <p className="muted">{texts.noneHelp}</p>
            </div>
          )}
          {items.map((exception) => (
            <ExceptionCard key={exception.id} exception={exception} />
          ))}
          <nav className="pages" aria-label={texts.list}>
            {before !== undefined && (
              <Link from="/bills" to="/bills" search={({ before: _before, ...rest }) => rest}>
                ← {ui.newest}
              </Link>
            )}
            {older !== undefined && (
              <Link from="/bills" to="/bills" search={(now) => ({ ...now, before: older })}>
                {ui.older} →
              </Link>
            )}
          </nav>
        </>
      )}
    </Loaded>
  );
}
