import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseRequestId } from './request-trace.server'

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const trusted = () => true

describe('the ID of a request', () => {
  it.each([
    ['a UUID', '5d0b4a86-6f3a-4c53-9d0c-3f0f6d3b1e7a'],
    ['nginx’s number', '0a1b2c3d4e5f60718293a4b5c6d7e8f9'],
    ['a ULID', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ])('is %s that a trusted proxy gave', (_what, id) => {
    expect(chooseRequestId({ 'x-request-id': id }, trusted)).toBe(id)
    expect(chooseRequestId({ 'x-request-id': id }, () => false)).toMatch(uuid)
  })

  it('is the trace ID of a well-formed traceparent if the proxy sends no X-Request-Id', () => {
    const trace = '0af7651916cd43dd8448eb211c80319c'
    const traceparent = `00-${trace}-b7ad6b7169203331-01`

    expect(chooseRequestId({ traceparent }, trusted)).toBe(trace)
    expect(chooseRequestId({ traceparent, 'x-request-id': 'short' }, trusted)).toBe(trace)
    expect(chooseRequestId({ traceparent }, () => false)).toMatch(uuid)
  })

  it.each([
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01x',
  ])('is never taken from %s', (traceparent) => {
    expect(chooseRequestId({ traceparent }, trusted)).toMatch(uuid)
  })

  it('has at most 64 characters, whatever a proxy sends', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (id, traceparent) => {
        expect(chooseRequestId({ 'x-request-id': id, traceparent }, trusted)).toMatch(
          /^[\w-]{16,64}$/,
        )
      }),
    )
  })
})
