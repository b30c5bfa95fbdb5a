import { Link } from "@tanstack/react-router";
import { useTexts } from "../language/catalogue.js";
import { CHANGES_TEXTS } from "./messages.js";

interface RenewalLinkProps {
  /** The route of the change. */
  readonly path: string;
  readonly onPress?: () => void;
}

/** A link to the view where the secret of a change can be replaced. */
export function RenewalLink({ path, onPress }: RenewalLinkProps) {
  const texts = useTexts(CHANGES_TEXTS);
  const isApp = path.startsWith("/api/setup/apps");
  return (
    <Link
      className="button primary"
      to="/setup"
      search={{ tab: isApp ? "apps" : "operators" }}
      onClick={onPress}
    >
      {isApp ? texts.toApps : texts.toOperators}
    </Link>
  );
}
