import { useQuery } from "@tanstack/react-query";
import { api, valueOf } from "../api/client.js";
import { useTexts } from "../language/catalogue.js";
import { Copyable } from "../ui/copyable.js";
import { Loaded } from "../ui/loaded.js";
import { CodeForm } from "./code-form.js";
import { SESSION_TEXTS } from "./messages.js";
import { QrCode } from "./qr-code.js";

/** The second step: a code of the phone. */
export function EnterCode() {
  const texts = useTexts(SESSION_TEXTS);
  return (
    <CodeForm
      title={texts.codeTitle}
      send={(code) => valueOf(api.POST("/api/session/code", { body: { code } }))}
    >
      <p>{texts.codeHelp}</p>
    </CodeForm>
  );
}

/** The second step of an account without a second factor: set one up. */
export function Enrol() {
  const texts = useTexts(SESSION_TEXTS);
  // The server creates a new key for each request, so the page asks once.
  const enrolment = useQuery({
    queryKey: ["enrolment"],
    queryFn: () => valueOf(api.POST("/api/session/enrolment")),
    ...{ staleTime: Infinity, gcTime: 0, retry: false },
  });
  return (
    <CodeForm
      title={texts.enrolTitle}
      send={(code) => valueOf(api.POST("/api/session/enrolment/confirm", { body: { code } }))}
    >
      <p>{texts.enrolHelp}</p>
      <Loaded query={enrolment}>
        {({ key, uri }) => (
          <>
            <QrCode text={uri} label={texts.qr} />
            <p className="muted">{texts.keyHelp}</p>
            <p className="secret">
              <Copyable text={key} />
            </p>
          </>
        )}
      </Loaded>
    </CodeForm>
  );
}
