import fc from 'fast-check'

const defaultSeed = 20_261_126

/**
 * Makes every run of the property tests try the same examples, so that no run fails by chance. Set
 * PROPERTY_SEED to try other examples.
 */
const seed = Number(process.env.PROPERTY_SEED ?? defaultSeed)
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
