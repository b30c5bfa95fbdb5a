import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { Checkbox } from "../ui/checkbox.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { BILLS_TEXTS } from "./messages.js";
import { useResolveSeveral } from "./queries.js";

interface ResolveSeveralProps {
  /** The chosen exceptions. */
  readonly ids: readonly string[];
  /** Whether every exception of the page is chosen. */
  readonly isAll: boolean;
  readonly onChooseAll: (isChosen: boolean) => void;
  readonly onDone: () => void;
}

/** Chooses the exceptions of a page, and resolves the chosen ones with one note. */
export function ResolveSeveral({ ids, isAll, onChooseAll, onDone }: ResolveSeveralProps) {
  const texts = useTexts(BILLS_TEXTS);
  const language = useLanguage();
  const resolve = useResolveSeveral(ids);
  const { resolved, refused } = resolve.data ?? { resolved: [], refused: [] };
  const number = (value: number) => formatNumber(value, language);
  return (
    <>
      <div className={ids.length > 0 ? "toolbar chosen" : "toolbar"}>
        <Checkbox label={texts.chooseAll} isChecked={isAll} onChange={onChooseAll} />
        {ids.length > 0 && (
          <ReasonDialog
            action={texts.resolveSeveral(number(ids.length))}
            title={texts.resolveSeveralTitle(number(ids.length))}
            label={texts.note}
            change={resolve}
            onDone={onDone}
          >
            <p>{texts.resolveSeveralHelp}</p>
          </ReasonDialog>
        )}
      </div>
      {resolve.data !== undefined && (
        <div className={refused.length === 0 ? "muted" : "failure"} role="status">
          <p>{texts.severalDone(number(resolved.length), number(refused.length))}</p>
          {refused.map(({ id, message }) => (
            <p key={id}>
              <span className="mono">{id}</span>: {message}
            </p>
          ))}
        </div>
      )}
    </>
  );
}
