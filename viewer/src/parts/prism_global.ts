/* Prism's languages look for a global; and it must not search the page for code by itself. */
(window as unknown as { Prism: { manual: boolean } }).Prism = { manual: true };
