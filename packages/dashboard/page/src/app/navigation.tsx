import { Link, type LinkProps, useLocation } from "@tanstack/react-router";
import { useRef } from "react";
import { useTexts } from "../language/catalogue.js";
import { type Permission, useMay } from "../session/session-context.js";
import { Icon, type IconName } from "../ui/icon.js";
import { useCurrentInView } from "../ui/use-current-in-view.js";
import { APP_TEXTS } from "./messages.js";

/** The views in the order of the navigation, with the right that each needs. */
const VIEWS = [
  { to: "/today", text: "today", icon: "today", needs: "read" },
  { to: "/orders", text: "orders", icon: "orders", needs: "read" },
  { to: "/refunds", text: "refunds", icon: "undo", needs: "read" },
  { to: "/bills", text: "bills", icon: "scale", needs: "read" },
  { to: "/reports", text: "reports", icon: "report", needs: "read" },
  { to: "/downloads", text: "downloads", icon: "download", needs: "read" },
  { to: "/setup", text: "setup", icon: "setup", needs: "read" },
  { to: "/audit", text: "audit", icon: "audit", needs: "audit.read" },
] as const satisfies readonly {
  to: LinkProps["to"];
  text: string;
  icon: IconName;
  needs: Permission;
}[];

/** The links to the views that the operator may see. */
export function Navigation() {
  const texts = useTexts(APP_TEXTS);
  const may = useMay();
  const { pathname } = useLocation();
  const bar = useRef<HTMLDivElement>(null);
  useCurrentInView(bar, pathname);
  return (
    <div className="navigation" ref={bar}>
      <Link className="brand" to="/">
        Tillkit
      </Link>
      <nav aria-label={texts.views}>
        {VIEWS.filter(({ needs }) => may(needs)).map(({ to, text, icon }) => (
          <Link key={to} to={to} activeProps={{ className: "active" }}>
            <Icon name={icon} />
            {texts[text]}
          </Link>
        ))}
      </nav>
    </div>
  );
}
