import { Link } from "@tanstack/react-router";
import { useTexts } from "../language/catalogue.js";
import { UI_TEXTS } from "./messages.js";

interface PagesProps {
  /** What the list shows, for screen readers. */
  readonly label: string;
  /** The `before` parameter of the current URL. Absent on the first page. */
  readonly before: string | undefined;
  /** The `before` parameter of the next page. Absent on the last page. */
  readonly older: string | undefined;
}

/** The links between the pages of a list, newest first. */
export function Pages({ label, before, older }: PagesProps) {
  const texts = useTexts(UI_TEXTS);
  return (
    <nav className="pages" aria-label={label}>
      {before !== undefined && (
        <Link to="." search={({ before: _before, ...rest }) => rest}>
          ← {texts.newest}
        </Link>
      )}
      {older !== undefined && (
        <Link to="." search={(now) => ({ ...now, before: older })}>
          {texts.older} →
        </Link>
      )}
    </nav>
  );
}
