/** Paths of the icons in a square of 16. */
const PATHS = {
  check: "M3 8.5l3.5 3.5L13 4.5",
  clock: "M8 4v4l2.5 2M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z",
  cross: "M4 4l8 8M12 4l-8 8",
  undo: "M6 3L3 6l3 3M3 6h6a4 4 0 0 1 0 8H6",
  alert: "M8 2L1.5 13.5h13zM8 6.5v3.5M8 11.8v.2",
  search: "M11 11l3.5 3.5M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0z",
  copy: "M6 6h8v8H6zM3 10V2h8",
  question: "M6 6a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1.1v.5M8 11.8v.2M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z",
  link: "M7 3H3v10h10V9M9 3h4v4M13 3L7 9",
  today: "M2 8l6-5.5L14 8M3.5 7v6.5h9V7M6.5 13.5v-4h3v4",
  orders: "M3.5 1.5h9v13l-2.2-1.4L8 14.5l-2.3-1.4-2.2 1.4zM6 5.5h4M6 8.5h4",
  scale: "M8 2v12M4.5 14h7M2.5 4.5h11M4 4.5L2 9.5h4zM12 4.5l-2 5h4z",
  report: "M3.5 1.5h9v13h-9zM6 11.5v-2M8 11.5v-5M10 11.5V8",
  download: "M8 2v8.5M4.5 7.5L8 11l3.5-3.5M2.5 13.5h11",
  setup: "M2 4.5h6M11 4.5h3M2 11.5h3M8 11.5h6M9.5 3v3M6.5 10v3",
  audit: "M8 1.5l5.5 2v4c0 3.4-2.3 6-5.5 7-3.2-1-5.5-3.6-5.5-7v-4zM5.5 8l2 2 3-3.5",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/** A small picture beside a word. Screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
