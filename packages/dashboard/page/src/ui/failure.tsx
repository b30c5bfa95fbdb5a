import { Button } from "react-aria-components";
import { ApiError } from "../api/api-error.js";
import { useTexts } from "../language/catalogue.js";
import { Icon } from "./icon.js";
import { UI_TEXTS } from "./messages.js";

/** What went wrong, and what to do. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const texts = useTexts(UI_TEXTS);
  const failure = error instanceof ApiError ? error : undefined;
  const own = new Map([
    ["unreachable", texts.unreachable],
    ["offline", onRetry === undefined ? texts.offline : texts.unreachable],
    ["change.unsettled", texts.unsettled],
    ["file.incomplete", texts.incomplete],
    ["endpoint.not-found", texts.notOffered],
  ]);
  const text = own.get(failure?.failure ?? "unreachable") ?? failure?.message;
  // A retry cannot help an operator without the right.
  const mayRetry = onRetry !== undefined && failure?.failure !== "permission.denied";
  return (
    <div className="failure" role="alert">
      <p>
        <Icon name="alert" /> {text}
      </p>
      {failure?.facts.problems !== undefined && (
        <ul>
          {failure.facts.problems.map((problem) => (
            <li key={problem.text}>{problem.text}</li>
          ))}
        </ul>
      )}
      {failure?.traceId !== undefined && <p className="muted">{texts.trace(failure.traceId)}</p>}
      {mayRetry && (
        <Button className="button" onPress={onRetry}>
          {texts.retry}
        </Button>
      )}
    </div>
  );
}
