import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createElement } from 'react'
import { expect, it } from 'vitest'
import { writeUnencoded } from '../../scripts/unencoded-react.mjs'

const require = createRequire(import.meta.url)
const file = require.resolve('react-dom/server.node').replace(/[^/]+$/, 'cjs/react-dom-server.node.production.js')
const code = readFileSync(file, 'utf8')

type Server = typeof import('react-dom/server')

function load(source: string): Server {
  const module = { exports: {} }
  new Function('require', 'module', 'exports', source)(require, module, module.exports)
  return module.exports as Server
}

function render({ renderToPipeableStream }: Server): Promise<string> {
  const words = ['<b>', 'naïve', '“quoted”', '🎓', 'x'.repeat(10_000)]
  const list = words.map((word) => createElement('li', { key: word, title: word }, word, '·', words.length))
  const page = createElement('html', null, createElement('body', null, createElement('ul', null, list)))
  return new Promise((resolve, reject) => {
    const stream = renderToPipeableStream(page, {
      onAllReady: () => resolve(text(stream.pipe(new PassThrough()))),
      onError: reject,
    })
  })
}

it('writes the same page as React', async () => {
  expect(await render(load(writeUnencoded(code)))).toBe(await render(load(code)))
})

it('refuses a React that writes in another way', () => {
  expect(() => writeUnencoded(code.replaceAll('writeChunkAndReturn', 'writeAndReturn'))).toThrow('writeChunkAndReturn')
})
