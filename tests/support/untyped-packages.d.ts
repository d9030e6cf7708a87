/** Types for the parts of an independent verifier's packages that the tests use. */
declare module '@digitalbazaar/vc' {
  type Result = { verified: boolean; error?: { errors?: Error[] } }
  export function verifyCredential(options: object): Promise<Result>
}
declare module '@digitalbazaar/data-integrity' {
  export class DataIntegrityProof {
    constructor(options: object)
  }
}
declare module '@digitalbazaar/eddsa-rdfc-2022-cryptosuite' {
  export const cryptosuite: object
}
declare module '@digitalbazaar/vc-bitstring-status-list' {
  export function checkStatus(
    options: object,
  ): Promise<{ verified: boolean; results?: { status: unknown }[] }>
}
