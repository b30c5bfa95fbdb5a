import { Link, type LinkProps } from "@tanstack/react-router";
import { useTexts } from "../language/catalogue.js";
import type { Permission } from "../session/queries.js";
import { useMay } from "../session/session-context.js";
import { APP_TEXTS } from "./messages.js";

/** The views in the order of the navigation, with the right that each needs. */
const VIEWS = [
  { to: "/today", text: "today", needs: "read" },
  { to: "/orders", text: "orders", needs: "read" },
  { to: "/refunds", text: "refunds", needs: "read" },
  { to: "/bills", text: "bills", needs: "read" },
  { to: "/downloads", text: "downloads", needs: "read" },
  { to: "/setup", text: "setup", needs: "read" },
  { to: "/audit", text: "audit", needs: "audit.read" },
] as const satisfies readonly {
  to: LinkProps["to"];
  text: string;
  needs: Permission;
}[];

/** The links to the views that the operator may see. */
export function Navigation() {
  const texts = useTexts(APP_TEXTS);
  const may = useMay();
  return (
    <nav className="navigation" aria-label={texts.views}>
      {VIEWS.filter(({ needs }) => may(needs)).map(({ to, text }) => (
        <Link key={to} to={to} activeProps={{ className: "active" }}>
          {texts[text]}
        </Link>
      ))}
    </nav>
  );
}
