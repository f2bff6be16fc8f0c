import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** mongo-java-server in memory: prints its address, and ends when its standard input does, so it outlives nobody. */
public class StartServer {
  /** Its own constant for 5.0 names the wire version of 4.2, which no present client talks to. */
  private static final MongoVersion MONGODB_5_0 =
      new MongoVersion() {
        @Override
        public List<Integer> getVersionArray() {
          return List.of(5, 0, 0);
        }

        @Override
        public int getWireVersion() {
          return 13;
        }
      };

  public static void main(String[] arguments) throws Exception {
    MongoServer server = new MongoServer(new MemoryBackend().version(MONGODB_5_0));
    server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
    System.out.println("listening at " + server.getLocalAddress().getPort());
    while (System.in.read() != -1) {}
    server.shutdownNow();
  }
}
