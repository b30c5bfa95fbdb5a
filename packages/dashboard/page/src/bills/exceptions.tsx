import { Link } from "@tanstack/react-router";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { Loaded } from "../ui/loaded.js";
import { UI_TEXTS } from "../ui/messages.js";
import { ExceptionCard } from "./exception-card.js";
import { BILLS_TEXTS } from "./messages.js";
import { type ExceptionState, useExceptions } from "./queries.js";

interface ExceptionsProps {
  readonly state: ExceptionState;
  readonly page: number;
}

/** The exceptions in one state, worked off from the oldest. */
export function Exceptions({ state, page }: ExceptionsProps) {
  const texts = useTexts(BILLS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const language = useLanguage();
  const query = useExceptions(state, String(page));
  return (
    <Loaded query={query}>
      {({ items, totalCount }) => (
        <>
          <p className="muted" role="status">
            {texts.total(formatNumber(totalCount, language))}
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
            {page > 1 && (
              <Link from="/bills" to="/bills" search={(now) => ({ ...now, page: String(page - 1) })}>
                ← {ui.newer}
              </Link>
            )}
            {items.length > 0 && page * items.length < totalCount && (
              <Link from="/bills" to="/bills" search={(now) => ({ ...now, page: String(page + 1) })}>
                {ui.older} →
              </Link>
            )}
          </nav>
        </>
      )}
    </Loaded>
  );
}
