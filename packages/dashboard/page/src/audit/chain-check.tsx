import { Button } from "react-aria-components";
import { useRead } from "../api/use-read.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useSession } from "../session/session-context.js";
import { Failure } from "../ui/failure.js";
import { Status } from "../ui/status.js";
import { AUDIT_TEXTS } from "./messages.js";

/** Checks the hash chain of the whole log when asked to. */
export function ChainCheck() {
  const texts = useTexts(AUDIT_TEXTS);
  const language = useLanguage();
  const { operator } = useSession();
  const check = useRead("/api/audit/check", {}, { isEnabled: false });
  // The chain has the entries of every app.
  if (operator?.apps !== undefined) return null;
  const { intactUpTo, brokenAt } = check.data ?? {};
  const number = (seq: number) => formatNumber(seq, language);
  return (
    <div className="toolbar">
      <Button className="button" onPress={() => void check.refetch()} isPending={check.isFetching}>
        {texts.check}
      </Button>
      <p role="status">
        {brokenAt !== undefined && <Status tone="bad">{texts.broken(number(brokenAt))}</Status>}
        {check.data !== undefined && brokenAt === undefined && (
          <Status tone="good">
            {intactUpTo === undefined ? texts.empty : texts.intact(number(intactUpTo.seq))}
          </Status>
        )}
      </p>
      {check.error !== null && <Failure error={check.error} />}
    </div>
  );
}
