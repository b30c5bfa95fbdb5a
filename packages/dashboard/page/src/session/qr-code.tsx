import { encode } from "uqr";

/** White modules around the code, which scanners need. */
const BORDER = 4;

/** A QR code, drawn in the browser: its text is a secret that no other server may see. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: BORDER });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${String(x)} ${String(y)}h1v1h-1z`] : [])),
  );
  return (
    <svg className="qr" viewBox={`0 0 ${String(size)} ${String(size)}`} role="img" aria-label={label}>
      <path d={squares.join("")} />
    </svg>
  );
}
