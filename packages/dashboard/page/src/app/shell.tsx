import { Link, Outlet } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { Button } from "react-aria-components";
import { LostChanges } from "../changes/lost-changes.js";
import { useTexts } from "../language/catalogue.js";
import { formatZone } from "../language/format.js";
import { serverTime } from "../language/server-time.js";
import { SearchBox } from "../search/search-box.js";
import { useSession } from "../session/session-context.js";
import { Icon } from "../ui/icon.js";
import { MAIN_ID, useFocusOnNavigation } from "./focus.js";
import { HelpDialog } from "./help-dialog.js";
import { APP_TEXTS } from "./messages.js";
import { Navigation } from "./navigation.js";
import { Preferences } from "./preferences.js";
import { useShortcuts } from "./shortcuts.js";

/** What surrounds every view: search, navigation, account and preferences. */
export function Shell() {
  const texts = useTexts(APP_TEXTS);
  const { operator, policy } = useSession();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  useShortcuts(openHelp);
  useFocusOnNavigation();
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {texts.skip}
      </a>
      <header className="header">
        <Link className="brand" to="/">
          Tillkit
        </Link>
        <SearchBox />
        <Button className="icon-button" aria-label={texts.help} onPress={openHelp}>
          <Icon name="question" />
        </Button>
        <Link className="account" to="/account" title={texts.account}>
          {operator?.name}
        </Link>
      </header>
      <Navigation />
      <main className="main" id={MAIN_ID} tabIndex={-1}>
        <LostChanges />
        <Outlet />
      </main>
      <footer className="footer">
        <span>{texts.zone(formatZone(policy.timeZone, serverTime()))}</span>
        <Preferences />
      </footer>
      <HelpDialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}
