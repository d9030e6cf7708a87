/** Every answer of this product has it; its value names the build that gave the answer. */
export const buildHeader = 'Learnify-Build'
