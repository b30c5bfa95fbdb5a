import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { useMay } from "../session/session-context.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { SecretDialog } from "../ui/secret-dialog.js";
import { SETUP_TEXTS } from "./messages.js";

interface ResetOperatorProps {
  readonly name: string;
  /** Called when the person has seen the outcome. */
  readonly onClose?: () => void;
}

/** Gives an operator a new password, and shows it once. */
export function ResetOperator({ name, onClose }: ResetOperatorProps) {
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const params = { path: { name } };
  const reset = useChange("/api/operators/{name}/reset", params, (reason: string) => ({ reason }));
  const close = () => {
    reset.reset();
    onClose?.();
  };
  if (!may("operator.reset")) return null;
  return (
    <>
      <ReasonDialog action={texts.reset} title={texts.resetTitle(name)} change={reset}>
        <p>{texts.resetHelp}</p>
      </ReasonDialog>
      <SecretDialog
        title={texts.passwordTitle(name)}
        isOpen={reset.data !== undefined}
        secret={reset.data?.password}
        renewal={<ResetOperator name={name} onClose={close} />}
        onClose={close}
      />
    </>
  );
}
