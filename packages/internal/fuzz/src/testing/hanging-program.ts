// A job that begins its third story and never comes out of it.
process.on("message", () => {
  for (const story of [0, 1, 2]) process.send?.({ story });
  for (;;);
});
