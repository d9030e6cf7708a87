const helper = /^\0vite\/preload-helper\.js$/

/**
 * Vite plugin: `import()` loads only the script. Vite's own helper also loads styles, which costs 0.6 kB on every page; no late
 * part here has styles. Needs `modulePreload: false`.
 *
 * @returns {import('vite').Plugin}
 */
export function lateScripts() {
  let isReplaced = false
  return {
    name: 'late-scripts',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      filter: { id: helper },
      handler() {
        isReplaced = true
        return 'export const __vitePreload = (load) => load()'
      },
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        if (!isReplaced)
          this.error('Vite no longer loads late parts by the helper that scripts/late-scripts.mjs replaces.')
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && file.code.includes('__vite__mapDeps'))
            this.error(`${file.fileName} loads a part late that needs styles, and nothing would load them.`)
      },
    },
  }
}
