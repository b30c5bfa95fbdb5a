import { formatTime, formatZone, type TimePart } from "../language/format.js";
import { useSession } from "../session/session-context.js";

interface TimeProps {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly part?: TimePart;
}

/** A time in the business time zone. Its title names the zone. */
export function Time({ at, part = "dateTime" }: TimeProps) {
  const { timeZone } = useSession().policy;
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={`${formatTime(at, timeZone, "dateTime")} ${formatZone(timeZone, at)}`}
    >
      {formatTime(at, timeZone, part)}
    </time>
  );
}
