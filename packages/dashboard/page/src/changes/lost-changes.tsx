import { useEffect, useState, useSyncExternalStore } from "react";
import {
  allLostChanges,
  onIntentions,
  resendIntention,
  type Sent,
  watchIntentions,
} from "../api/intentions.js";
import type { Answer } from "../api/routes.js";
import type { Intention } from "../api/stored-intentions.js";
import { useReload } from "../api/use-reload.js";
import { useTexts } from "../language/catalogue.js";
import { useSession } from "../session/session-context.js";
import { Failure } from "../ui/failure.js";
import { SecretDialog } from "../ui/secret-dialog.js";
import { LostChangeNotice } from "./lost-change.js";
import { CHANGES_TEXTS, SECRET_ANSWERS } from "./messages.js";
import { RenewalLink } from "./renewal-link.js";

/** The answer to a change that was sent again. */
interface Resent extends Sent<Answer<"/api/setup/apps", "post"> | Answer<"/api/operators", "post">> {
  readonly path: string;
}

/** The operator's changes whose answers were lost, above every view. */
export function LostChanges() {
  const texts = useTexts(CHANGES_TEXTS);
  const operator = useSession().operator?.name ?? "";
  const all = useSyncExternalStore(onIntentions, allLostChanges);
  const reload = useReload();
  const [resent, setResent] = useState<Resent>();
  const resend = async (intention: Intention) => {
    setResent(undefined);
    const { path } = intention;
    const sent = await resendIntention<NonNullable<Resent["answer"]>>(intention);
    setResent({ ...sent, path });
    reload();
  };
  useEffect(() => watchIntentions(operator), [operator]);
  const own = all.filter(({ intention }) => intention.operator === operator);
  const made = own.filter(({ report }) => report.state === "done").length;
  useEffect(() => {
    if (made > 0) reload();
  }, [made, reload]);
  if (own.length === 0 && resent === undefined) return null;
  const { answer, error, path = "" } = resent ?? {};
  const hasSecret = answer !== undefined && SECRET_ANSWERS.includes(path);
  return (
    <section aria-label={texts.title}>
      {own.map((lost) => (
        <LostChangeNotice key={lost.intention.id} lost={lost} onResend={() => void resend(lost.intention)} />
      ))}
      {error !== undefined && <Failure error={error} />}
      <SecretDialog
        title={texts.secretTitle}
        isOpen={hasSecret}
        secret={hasSecret ? secretIn(answer) : undefined}
        renewal={<RenewalLink path={path} onPress={() => setResent(undefined)} />}
        onClose={() => setResent(undefined)}
      />
    </section>
  );
}

/** Returns the secret in an answer. Absent in the answer to a repetition. */
function secretIn(answer: NonNullable<Resent["answer"]>): string | undefined {
  return "account" in answer ? answer.password : answer.appSecret;
}
