/**
 * Creates the quiet sound of a video: one soft chord for each scene, in a key of the video's own.
 */
import { random } from './svg.ts'

const samplesPerSecond = 24000
/** Two chords overlap for this time. */
const blendSeconds = 1.2
const fadeInSeconds = 1.5
const fadeOutSeconds = 2
const volume = 0.022
const maxSample = 32767

/** The notes of each chord in semitones above the root. None of these chords wants to resolve. */
const chords: readonly (readonly number[])[] = [
  [0, 7, 12, 16, 19],
  [-3, 4, 12, 16, 19],
  [5, 12, 16, 21, 24],
  [-5, 2, 11, 14, 19],
]

/**
 * Returns a 16-bit mono WAV file.
 *
 * @param sceneSeconds the length of each scene
 * @param seed decides the key
 */
export function createPadSound(sceneSeconds: readonly number[], seed: string): Buffer {
  const totalSeconds = sceneSeconds.reduce((sum, seconds) => sum + seconds, 0)
  const rootFrequency = 110 * 2 ** (Math.floor(random(seed)() * 6) / 12)
  const samples = new Float64Array(Math.round(totalSeconds * samplesPerSecond))

  let sceneStart = 0
  for (const [index, seconds] of sceneSeconds.entries()) {
    addChord(samples, {
      chord: chords[index % chords.length] ?? [],
      rootFrequency,
      start: Math.max(0, sceneStart - blendSeconds / 2),
      end: Math.min(totalSeconds, sceneStart + seconds + blendSeconds / 2),
    })
    sceneStart += seconds
  }

  return createWav(samples, totalSeconds)
}

type Chord = {
  chord: readonly number[]
  rootFrequency: number
  /** The start and end of the chord in seconds. */
  start: number
  end: number
}

/** Adds the tones of a chord, which swell at the start and fade at the end. */
function addChord(samples: Float64Array, { chord, rootFrequency, start, end }: Chord): void {
  const firstSample = Math.round(start * samplesPerSecond)
  const lastSample = Math.round(end * samplesPerSecond)

  for (const [voice, semitones] of chord.entries()) {
    const frequency = rootFrequency * 2 ** (semitones / 12)
    for (let index = firstSample; index < lastSample; index++) {
      const time = index / samplesPerSecond
      const swell = Math.min(1, (time - start) / blendSeconds, (end - time) / blendSeconds)
      // Each voice slowly becomes louder and quieter, at a speed of its own.
      const breath = 0.8 + 0.2 * Math.sin(2 * Math.PI * (0.11 + voice * 0.03) * time + voice)
      // A second tone that is slightly too high makes the sound warmer.
      const tone =
        Math.sin(2 * Math.PI * frequency * time) +
        0.5 * Math.sin(2 * Math.PI * frequency * 1.0025 * time)
      samples[index] =
        (samples[index] ?? 0) +
        (tone * breath * Math.sin((Math.max(0, swell) * Math.PI) / 2) * volume) / (1 + voice * 0.35)
    }
  }
}

/** Writes samples from -1 to 1 as a WAV file, with a fade at both ends. */
function createWav(samples: Float64Array, totalSeconds: number): Buffer {
  const headerBytes = 44
  const bytesPerSample = 2
  const dataBytes = samples.length * bytesPerSample

  const wav = Buffer.alloc(headerBytes + dataBytes)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(headerBytes - 8 + dataBytes, 4)
  wav.write('WAVEfmt ', 8)
  // The format: 16 bytes, PCM, one channel.
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(samplesPerSecond, 24)
  wav.writeUInt32LE(samplesPerSecond * bytesPerSample, 28)
  wav.writeUInt16LE(bytesPerSample, 32)
  wav.writeUInt16LE(bytesPerSample * 8, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(dataBytes, 40)

  for (const [index, sample] of samples.entries()) {
    const time = index / samplesPerSecond
    const fade = Math.min(1, time / fadeInSeconds, (totalSeconds - time) / fadeOutSeconds)
    const value = Math.round(sample * fade * maxSample)
    wav.writeInt16LE(value, headerBytes + index * bytesPerSample)
  }

  return wav
}
