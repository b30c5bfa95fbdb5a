import { useEffect, useSyncExternalStore } from "react";
import { allLostChanges, onIntentions, resendIntention, watchIntentions } from "../api/intentions.js";
import { useReload } from "../api/use-reload.js";
import { useTexts } from "../language/catalogue.js";
import { useSession } from "../session/session-context.js";
import { LostChangeNotice } from "./lost-change.js";
import { CHANGES_TEXTS } from "./messages.js";

/** The operator's changes whose answers were lost, above every view. */
export function LostChanges() {
  const texts = useTexts(CHANGES_TEXTS);
  const operator = useSession().operator?.name ?? "";
  const all = useSyncExternalStore(onIntentions, allLostChanges);
  const reload = useReload();
  useEffect(() => watchIntentions(operator), [operator]);
  const own = all.filter(({ intention }) => intention.operator === operator);
  const made = own.filter(({ report }) => report.state === "done").length;
  useEffect(() => {
    if (made > 0) reload();
  }, [made, reload]);
  if (own.length === 0) return null;
  return (
    <section aria-label={texts.title}>
      {own.map((lost) => (
        <LostChangeNotice
          key={lost.intention.id}
          lost={lost}
          onResend={() => void resendIntention(lost.intention).then(reload)}
        />
      ))}
    </section>
  );
}
