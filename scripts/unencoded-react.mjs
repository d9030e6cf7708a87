/**
 * React encodes each of a page's thousands of pieces by itself into views of 4 kB, which is an eighth of rendering. In a
 * build it hands on its texts instead, and the page is encoded once, as a whole.
 *
 * @param {string} code of React's server for Node.js.
 * @throws if that has other functions than these: look at the new ones.
 */
export function writeUnencoded(code) {
  const given = replacements.replaceAll(/function (\w+)\(/g, (start, name) => {
    if (code.split(start).length !== 2) throw new Error(`React’s server has no ${name} any more.`)
    code = code.replace(start, `function ${name}Encoded(`)
    return start
  })
  return code + given
}

const replacements = `
function stringToPrecomputedChunk(content) { return content }
function byteLengthOfChunk(chunk) { return chunk.length }
function writeChunk(destination, chunk) { destination.write(chunk) }
function writeChunkAndReturn(destination, chunk) { destination.write(chunk); return true }
function completeWriting() {}
`
