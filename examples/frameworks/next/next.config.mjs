export default {
  poweredByHeader: false,
  // Tillkit answers a path with a slash at its end itself.
  skipTrailingSlashRedirect: true,
};
