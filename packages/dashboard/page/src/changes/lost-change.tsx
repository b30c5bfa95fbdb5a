import { Button } from "react-aria-components";
import { askNow, dismissIntention, isKnown, type LostChange } from "../api/intentions.js";
import { useTexts } from "../language/catalogue.js";
import { Icon } from "../ui/icon.js";
import { CHANGES_TEXTS, LOST_TEXTS, SECRET_ANSWERS } from "./messages.js";
import { RenewalLink } from "./renewal-link.js";

interface LostChangeNoticeProps {
  readonly lost: LostChange;
  readonly onResend: () => void;
  /** Called when the person has seen the outcome. */
  readonly onKnown?: () => void;
}

/** A change whose answer was lost: what the server knows about it, and what the person can do. */
export function LostChangeNotice({ lost, onResend, onKnown }: LostChangeNoticeProps) {
  const texts = useTexts(CHANGES_TEXTS);
  const kinds = new Map<string, string>(Object.entries(useTexts(LOST_TEXTS)));
  const { intention, report, hasNotArrived, canResend } = lost;
  const isEnded = isKnown(report);
  const isSecretLost = report.state === "done" && SECRET_ANSWERS.includes(intention.path);
  const dismiss = () => {
    dismissIntention(intention);
    if (isEnded) onKnown?.();
  };
  return (
    <div className="failure" role="alert">
      <p>
        <Icon name="alert" />{" "}
        {isEnded || hasNotArrived ? null : <strong>{kinds.get(intention.path) ?? texts.other}</strong>}{" "}
        {intention.subject !== "" && <span className="mono">{intention.subject}</span>}
      </p>
      <p>{hasNotArrived ? texts.notArrived : texts[report.state]}</p>
      {isSecretLost && <p>{texts.secret}</p>}
      {"message" in report && <p>{report.message}</p>}
      {hasNotArrived && intention.body === undefined && <p>{texts.retype}</p>}
      <div className="dialog-actions">
        {!isEnded && !hasNotArrived && (
          <Button
            className="button"
            onPress={() => void askNow(intention)}
            isPending={report.state === "asking"}
          >
            {texts.ask}
          </Button>
        )}
        {(isEnded || hasNotArrived) && (
          <Button className="button" onPress={dismiss}>
            {isEnded ? texts.close : texts.dismiss}
          </Button>
        )}
        {isSecretLost && <RenewalLink path={intention.path} />}
        {canResend && (
          <Button className="button primary" onPress={onResend}>
            {texts.resend}
          </Button>
        )}
      </div>
    </div>
  );
}
