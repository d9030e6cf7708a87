import fc from 'fast-check'

/**
 * Every run tries the same examples, so that none fails by chance. PROPERTY_SEED draws others, to
 * look for a defect.
 */
const seed = Number(process.env.PROPERTY_SEED ?? 20_261_126)
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
