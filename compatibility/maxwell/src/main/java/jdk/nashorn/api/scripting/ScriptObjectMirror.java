package jdk.nashorn.api.scripting;

/** Takes the place of the class of JDK 8 to 14, whose type Maxwell asks for with each value that it writes. There are no objects of it. */
public final class ScriptObjectMirror {
    private ScriptObjectMirror() {}
}
