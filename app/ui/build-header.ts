/** Set on every response of this product; the value names the build. */
export const buildHeader = 'Learnify-Build'
