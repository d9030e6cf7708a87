/** The part of oidc-provider 9 that the sample identity provider uses; the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export type Account = { accountId: string; claims(): Record<string, unknown> }
  export type InteractionDetails = { uid: string; params: Record<string, unknown> }
  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }
  export type KoaContextWithOIDC = {
    oidc: {
      provider: { Grant: new (of: { clientId?: string; accountId?: string }) => Grant }
      client?: { clientId: string }
      session?: { accountId?: string }
      result?: { login?: { accountId: string } }
    }
  }
  type Koa = { type: string; body: string }
  type Configuration = {
    clients: Record<string, unknown>[]
    jwks: { keys: object[] }
    cookies: { keys: string[]; long: { path: string } }
    claims: Record<string, string[]>
    features: { devInteractions: { enabled: boolean } }
    interactions: { policy: unknown; url(context: unknown, interaction: { uid: string }): string }
    pkce: { required(): boolean }
    findAccount(context: unknown, subject: string): Account | undefined
    loadExistingGrant(context: KoaContextWithOIDC): Promise<Grant>
    ttl: Record<string, number>
    renderError(context: Koa, out: { error: string }): void
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string }; select_account: object } | { error: string },
    ): Promise<void>
  }

  class Check {
    constructor(reason: string, description: string, check: (context: KoaContextWithOIDC) => boolean)
  }
  class Prompt {
    constructor(options: { name: string; requestable: boolean }, ...checks: Check[])
  }
  export const interactionPolicy: {
    Check: typeof Check
    Prompt: typeof Prompt
    base(): { clear(): void; add(prompt: Prompt): void }
  }
}
