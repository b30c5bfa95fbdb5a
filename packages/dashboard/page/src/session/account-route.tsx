import { createRoute } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "react-aria-components";
import { LetterKeysSwitch } from "../app/letter-keys-switch.js";
import { APP_TEXTS } from "../app/messages.js";
import { rootRoute } from "../app/root-route.js";
import { useTexts } from "../language/catalogue.js";
import { PageTitle } from "../ui/page-title.js";
import { SESSION_TEXTS } from "./messages.js";
import { OwnSecondFactor } from "./own-second-factor.js";
import { PasswordForm } from "./password-form.js";
import { useSignOut } from "./queries.js";
import { ROLE_TEXTS } from "./role-names.js";
import { useSession } from "./session-context.js";

/** The operator's own account. */
export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/account",
  component: Account,
});

function Account() {
  const texts = useTexts(SESSION_TEXTS);
  const { account, help: keyboard } = useTexts(APP_TEXTS);
  const roles = useTexts(ROLE_TEXTS);
  const { operator, accounts, signOutUrl } = useSession();
  const [isChanged, setChanged] = useState(false);
  const signOut = useSignOut();
  return (
    <>
      <PageTitle title={account}>
        {accounts && (
          <Button className="button" onPress={() => signOut.mutate()}>
            {texts.signOut}
          </Button>
        )}
        {signOutUrl !== undefined && (
          <a className="button" href={signOutUrl}>
            {texts.signOut}
          </a>
        )}
      </PageTitle>
      <p>
        {operator?.name} · {operator && roles[operator.role]}
      </p>
      {accounts && (
        <section className="narrow">
          <h2>{texts.changePassword}</h2>
          {isChanged ? (
            <p role="status">{texts.changed}</p>
          ) : (
            <>
              <p className="muted">{texts.changePasswordHelp}</p>
              <PasswordForm onChanged={() => setChanged(true)} />
            </>
          )}
        </section>
      )}
      <OwnSecondFactor />
      <section>
        <h2>{keyboard}</h2>
        <LetterKeysSwitch />
      </section>
    </>
  );
}
