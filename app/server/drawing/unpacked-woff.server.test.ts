import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { create } from 'fontkit'
import { describe, expect, it } from 'vitest'
import { unpackedWoff } from './unpacked-woff.server'

const resolve = createRequire(import.meta.url).resolve
const figtree = () => readFile(resolve('@fontsource/figtree/files/figtree-latin-600-normal.woff'))

describe('a font in a WOFF file', () => {
  it('is drawn the same once it is unpacked', async () => {
    const file = await figtree()
    const [packed, unpacked] = [create(file), create(unpackedWoff(file))].map((font) => font.layout('Ada Lovelace, fi'))
    expect(unpacked?.advanceWidth).toBe(packed?.advanceWidth)
    expect(unpacked?.glyphs.map(({ path }) => path.toSVG())).toEqual(packed?.glyphs.map(({ path }) => path.toSVG()))
  })

  it('is left as it is when it is none', () => {
    const other = Buffer.from('\0\x01\0\0 a TrueType font', 'latin1')
    expect(unpackedWoff(other)).toBe(other)
  })
})
