/**
 * The plugin for Vite by which `import()` loads a script and nothing else. Vite's own also loads the styles of what comes
 * late, which is 0.6 kB on every page; here, what comes late has none.
 *
 * @returns {import('vite').Plugin}
 */
export function bareImports() {
  return {
    name: 'bare-imports',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => 'export const __vitePreload = (load) => load()',
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && file.code.includes('__vite__mapDeps'))
            this.error(`${file.fileName} loads late what has styles of its own, which nothing would load.`)
      },
    },
  }
}
