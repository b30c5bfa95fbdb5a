/** Formats an instant as `yyyy-MM-dd HH:mm:ss` in Beijing, independently of the sandbox's code. */
export function beijing(instant: number): string {
  const [day = "", time = ""] = new Date(instant + 8 * 3_600_000).toISOString().split("T");
  return `${day} ${time.slice(0, 8)}`;
}
