import { useState } from "react";
import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { useMay } from "../session/session-context.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { SecretDialog } from "../ui/secret-dialog.js";
import { Select } from "../ui/select.js";
import { AppId } from "./app-id.js";
import { SETUP_TEXTS } from "./messages.js";

const HOUR = 60 * 60_000;

/** How long a previous secret or id may work beside a new one, in hours. */
const OVERLAPS = [0, 1, 24, 7 * 24] as const;

interface OverlapProps {
  readonly label: string;
  /** In hours. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Chooses how long a previous secret or id still works. */
export function Overlap(props: OverlapProps) {
  const { overlapOf } = useTexts(SETUP_TEXTS);
  const choices = OVERLAPS.map((hours) => ({ value: String(hours), label: overlapOf(hours) }));
  return <Select {...props} choices={choices} />;
}

/** Returns an overlap in milliseconds. */
export function overlapMs(hours: string): number {
  return Number(hours) * HOUR;
}

interface RotateSecretProps {
  readonly appId: string;
  readonly name: string;
  /** Called when the person has seen the outcome. */
  readonly onClose?: () => void;
}

/** Gives an app a new secret, and shows it once. */
export function RotateSecret({ appId, name, onClose }: RotateSecretProps) {
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const [overlap, setOverlap] = useState("24");
  const params = { path: { appId } };
  const rotate = useChange("/api/setup/apps/{appId}/rotate", params, (reason: string) => ({
    overlap: overlapMs(overlap),
    reason,
  }));
  const close = () => {
    rotate.reset();
    onClose?.();
  };
  if (!may("app.rotate-secret")) return null;
  return (
    <>
      <ReasonDialog
        action={texts.rotate}
        confirm={texts.create}
        title={texts.rotateTitle(name)}
        change={rotate}
      >
        <Overlap label={texts.overlap} value={overlap} onChange={setOverlap} />
        <p>{overlap === "0" ? texts.revokeHelp : texts.rotateHelp}</p>
      </ReasonDialog>
      <SecretDialog
        title={texts.secretTitle}
        isOpen={rotate.data !== undefined}
        secret={rotate.data?.appSecret}
        renewal={<RotateSecret appId={appId} name={name} onClose={close} />}
        onClose={close}
      >
        <AppId appId={appId} />
      </SecretDialog>
    </>
  );
}
